// Which addresses strangers' names may lead to: those of the public internet, and what the deployment lists besides.
// It must never let an address through because of how it is written: it is judged by what it stands for.
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

/** The addresses of this machine: what a watcher on a laptop may call. */
export const loopbackRanges: readonly string[] = ['127.0.0.0/8', '::1/128'];

/** All that has been given out of IPv6 (RFC 4291); `::10.0.0.1`, among others, is none of it. */
const globalUnicast: Range = [ipaddr.parse('2000::'), 3];
/** Public by its number, and in Azure each machine's own: its agent, DNS and health probes. */
const cloudService: Range = [ipaddr.parse('168.63.129.16'), 32];

/** `10.0.0.0/8`, or one address, as the list takes it; undefined where it is neither. */
export function parseRange(text: string): Range | undefined {
  if (ipaddr.isValidCIDR(text)) {
    const [address, bits] = ipaddr.parseCIDR(text);
    return [address, bits];
  }
  if (!ipaddr.isValid(text)) return undefined;
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** Addresses that somebody has listed. */
export class AddressRanges {
  private readonly ranges: readonly Range[];

  /** Addresses and CIDR ranges, as `parseRange` takes them. Throws `TypeError`. */
  constructor(ranges: readonly string[]) {
    this.ranges = ranges.map((text) => {
      const range = parseRange(text);
      if (range === undefined) throw new TypeError(`${text} is neither an address nor a range of addresses`);
      return range;
    });
  }

  get isEmpty(): boolean {
    return this.ranges.length === 0;
  }

  /** Never of what is no address. */
  has(text: string): boolean {
    // `::ffff:127.0.0.1` is 127.0.0.1 and nothing else.
    return ipaddr.isValid(text) && this.includes(ipaddr.process(text));
  }

  includes(address: Address): boolean {
    return this.ranges.some((range) => isWithin(address, range));
  }
}

export class AddressPolicy {
  private readonly allowed: AddressRanges;

  /** `ranges`: addresses and CIDR ranges that may be called although they are none of the public internet's. */
  constructor(ranges: readonly string[]) {
    this.allowed = new AddressRanges(ranges);
  }

  /** Why the address is not called, in a person's words; undefined where it may be. */
  refusalOf(text: string): string | undefined {
    if (!ipaddr.isValid(text)) return `${text} is no address`;
    // `::ffff:127.0.0.1` is 127.0.0.1 and nothing else.
    const address = ipaddr.process(text);
    if (this.allowed.includes(address) || isPublic(address)) return undefined;
    const range = address.range() === 'unicast' ? 'reserved' : address.range();
    return `${text} is no public address (${range}): DUEWATCH_OUTBOUND_ALLOW may list it`;
  }
}

/** `unicast` is what is left of all ranges that have another name, and so more than is public. */
function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  return address.kind() === 'ipv6' ? isWithin(address, globalUnicast) : !isWithin(address, cloudService);
}

function isWithin(address: Address, [range, bits]: Range): boolean {
  return range.kind() === address.kind() && address.match(range, bits);
}
