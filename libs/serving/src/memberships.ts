// Which partitions are this process's, for whoever tells whether it is ready. It never gives one out.
import type { Membership, Role } from '#event-log';

/** The injection token of the process's `Memberships`. */
export const MEMBERSHIPS = Symbol('Memberships');

export class Memberships {
  private readonly byRole = new Map<Role, Membership>();

  joined(role: Role, membership: Membership): void {
    this.byRole.set(role, membership);
  }

  /** The partitions that the process is to serve in the role; undefined while that is not known. */
  partitionsOf(role: Role): readonly number[] | undefined {
    const membership = this.byRole.get(role);
    return membership?.isSettled === true ? membership.partitions : undefined;
  }
}
