// How a process calls strangers, as configured.
import { AddressPolicy, Outbound } from '#outbound';
import type { Config } from '#runtime';

/** `ranges`: what may be called beside the public internet where nothing is configured. */
export function openOutbound({ outboundAllow }: Config, ranges: readonly string[] = []): Outbound {
  return new Outbound({ policy: new AddressPolicy(outboundAllow ?? ranges) });
}
