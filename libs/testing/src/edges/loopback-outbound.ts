// Calls to what a test has started on this machine.
import { AddressPolicy, loopbackRanges, Outbound } from '#outbound';

/** Its connections end with the process, or are idle for seconds: nothing is to be closed. */
export function loopbackOutbound(): Outbound {
  return new Outbound({ policy: new AddressPolicy(loopbackRanges) });
}
