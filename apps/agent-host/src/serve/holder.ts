// Who has a share of what the host may hold: a user, however many come by one proxy; where nobody is asked, an address.
import { holderOfUser } from '../run/shares.ts';
import type { AuthenticatedRequest } from './authentication.ts';

export function holderOf({ hostUser = '', socket }: AuthenticatedRequest): string {
  return hostUser === '' ? `address ${socket.remoteAddress ?? ''}` : holderOfUser(hostUser);
}
