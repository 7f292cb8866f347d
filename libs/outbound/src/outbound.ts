// A `fetch` that connects to no address it has not looked at, follows no redirect, and keeps certificates apart.
// The check is where a socket is made, on the very address it is made to: a name that answers differently the second
// time, a literal, or an odd spelling of one comes through the same place.
import { createHash } from 'node:crypto';
import { lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, type Dispatcher, fetch as undiciFetch } from 'undici';
import type { AddressPolicy } from './address-policy.ts';
import { AddressRefusedError } from './address-refused-error.ts';

/** What this side shows of itself over TLS, PEM texts; and whom it believes, where that is not the system's list. */
export interface TlsIdentity {
  readonly certificate?: string;
  readonly privateKey?: string;
  readonly authorities?: string;
}

/** What a caller needs: a `fetch`, and the same as undici's dispatcher for who must see bytes as they come. */
export interface OutboundCalls {
  readonly fetch: typeof fetch;
  readonly dispatcher: Dispatcher;
}

export interface OutboundOptions {
  readonly policy: AddressPolicy;
  /** How names become addresses; the system's way unless given. */
  readonly lookup?: LookupFunction;
  /** Until a connection stands; 5 s unless given. */
  readonly connectTimeoutMs?: number;
}

/** The injection token of an `Outbound`. */
export const OUTBOUND = Symbol('Outbound');

/** Identities whose connections are kept at a time; the one used longest ago goes first. */
const identitiesCount = 200;

export class Outbound {
  private readonly options: OutboundOptions;
  private readonly known = new Map<string, OutboundCalls & { readonly dispatcher: Agent }>();

  constructor(options: OutboundOptions) {
    this.options = options;
  }

  /** Calls that show this identity, over connections that no other identity uses. */
  as(identity: TlsIdentity = {}): OutboundCalls {
    const key = createHash('sha256')
      .update(JSON.stringify([identity.certificate, identity.privateKey, identity.authorities]))
      .digest('hex');
    const calls = this.known.get(key) ?? this.open(identity);
    this.known.delete(key);
    this.known.set(key, calls);
    for (const [oldest, { dispatcher }] of this.known) {
      if (this.known.size <= identitiesCount) break;
      this.known.delete(oldest);
      // What is under way over them ends by itself.
      void dispatcher.close();
    }
    return calls;
  }

  /** Ends all connections; what is under way fails. */
  async close(): Promise<void> {
    const open = [...this.known.values()];
    this.known.clear();
    await Promise.all(open.map(({ dispatcher }) => dispatcher.destroy()));
  }

  private open(identity: TlsIdentity): OutboundCalls & { readonly dispatcher: Agent } {
    const dispatcher = new Agent({ connect: this.connector(identity) });
    // The types of undici's own `fetch` and of Node's differ in names only.
    const call = ((input: never, init?: object) =>
      undiciFetch(input, { ...init, redirect: 'manual', dispatcher })) as unknown as typeof fetch;
    return { dispatcher, fetch: call };
  }

  private connector({ certificate, privateKey, authorities }: TlsIdentity): buildConnector.connector {
    const { policy, connectTimeoutMs } = this.options;
    const connect = buildConnector({
      timeout: connectTimeoutMs ?? 5_000,
      lookup: this.checkedLookup(),
      ...(certificate !== undefined && { cert: certificate }),
      ...(privateKey !== undefined && { key: privateKey }),
      ...(authorities !== undefined && { ca: authorities }),
    });
    // A literal address is never looked up.
    return (target, callback) => {
      const literal = target.hostname.replace(/^\[|\]$/g, '');
      const refusal = isIP(literal) === 0 ? undefined : policy.refusalOf(literal);
      if (refusal === undefined) connect(target, callback);
      else callback(new AddressRefusedError(refusal), null);
    };
  }

  /** Of a name's addresses only those that may be called; an error where there are others alone. */
  private checkedLookup(): LookupFunction {
    const { policy, lookup = systemLookup } = this.options;
    return (hostname, options, callback) => {
      lookup(hostname, { ...options, all: true }, (error, found) => {
        if (error) return callback(error, []);
        const addresses = typeof found === 'string' ? [{ address: found, family: isIP(found) }] : found;
        const allowed = addresses.filter(({ address }) => policy.refusalOf(address) === undefined);
        const [first] = allowed;
        if (first === undefined) return callback(refused(hostname, addresses, policy), []);
        if (options.all === true) callback(null, allowed);
        else callback(null, first.address, first.family);
      });
    };
  }
}

function refused(
  hostname: string,
  addresses: readonly { readonly address: string }[],
  policy: AddressPolicy,
): AddressRefusedError {
  const [first] = addresses;
  const why = first === undefined ? 'it has no address' : policy.refusalOf(first.address);
  return new AddressRefusedError(`${hostname}: ${why}`);
}
