// Calls to what a test has started on this machine.
import { createServer } from 'node:net';
import type { AddressInfo, LookupFunction } from 'node:net';
import { AddressPolicy, loopbackRanges, Outbound } from '#outbound';

/** Its connections end with the process, or are idle for seconds: nothing is to be closed. */
export function loopbackOutbound(): Outbound {
  return new Outbound({ policy: new AddressPolicy(loopbackRanges) });
}

/** As the product calls, with a name server of the test's own: each name answers in turn, its last answer for ever. */
export function guardedOutbound(
  ranges: readonly string[],
  names: Readonly<Record<string, readonly (readonly string[])[]>>,
): Outbound {
  const left = new Map(Object.entries(names).map(([name, answers]) => [name, [...answers]]));
  const lookup: LookupFunction = (hostname, _, callback) => {
    const answers = left.get(hostname) ?? [[]];
    const addresses = (answers.length > 1 ? answers.shift() : answers[0]) ?? [];
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    callback(null, found);
  };
  return new Outbound({ policy: new AddressPolicy(ranges), lookup });
}

export interface Victim {
  /** Who has connected since it listens. */
  readonly connectionsCount: number;
  close(): Promise<void>;
}

/** What nobody may connect to. */
export async function startVictim(address: string, port: number): Promise<Victim & { readonly port: number }> {
  let connectionsCount = 0;
  const server = createServer((socket) => {
    connectionsCount += 1;
    socket.destroy();
  }).unref();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, address, resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get connectionsCount() {
      return connectionsCount;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
