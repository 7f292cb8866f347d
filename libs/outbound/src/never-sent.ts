// Whether a request that failed can have been read by anybody. In doubt it can.
import { AddressRefusedError } from './address-refused-error.ts';

/** No connection was made: none was allowed, there was no way, nobody listened, or who did is not who was called. */
const codes =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EHOSTDOWN|UND_ERR_CONNECT_TIMEOUT|(CERT|ERR_TLS|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_.*)$/;

/** By what the connection failed for: undici's error, the `cause` of what `fetch` throws; of several attempts, all of them. */
export function isNeverSent(cause: unknown): boolean {
  if (cause instanceof AddressRefusedError) return true;
  // Errors of another realm are no `Error` here, and need not be objects at all.
  if (typeof cause !== 'object' || cause === null) return false;
  if ('errors' in cause && Array.isArray(cause.errors) && cause.errors.length > 0)
    return cause.errors.every(isNeverSent);
  return 'code' in cause && codes.test(String(cause.code));
}
