// Which member gets which partition. Who has one keeps it as long as the shares stay even: what moves must be folded again.

export interface Claim {
  readonly memberId: string;
  /** What it serves. */
  readonly partitions: readonly number[];
}

/** Every partition to one member, the shares differing by one at most; the same for the same claims in any order. */
export function assign(claims: readonly Claim[], partitionCount: number): ReadonlyMap<string, readonly number[]> {
  const members = [...claims].sort((a, b) => (a.memberId < b.memberId ? -1 : 1));
  const least = Math.floor(partitionCount / members.length);
  let largerShares = partitionCount % members.length;
  const free = new Set(Array.from({ length: partitionCount }, (_, partition) => partition));
  const shares = new Map<string, number[]>();
  for (const { memberId, partitions } of byCount(members)) {
    const kept = [...new Set(partitions)].filter((partition) => free.has(partition)).sort((a, b) => a - b);
    const mayHaveMore = kept.length > least && largerShares > 0;
    if (mayHaveMore) largerShares -= 1;
    const share = kept.slice(0, mayHaveMore ? least + 1 : least);
    for (const partition of share) free.delete(partition);
    shares.set(memberId, share);
  }
  const rest = [...free];
  for (const full of [least, least + 1]) {
    for (const { memberId } of members) {
      const share = shares.get(memberId) ?? [];
      while (share.length < full && rest.length > 0) share.push(...rest.splice(0, 1));
    }
  }
  for (const share of shares.values()) share.sort((a, b) => a - b);
  return shares;
}

/** Who has most comes first to a share that is larger by one. */
function byCount(members: readonly Claim[]): readonly Claim[] {
  return [...members].sort((a, b) => b.partitions.length - a.partitions.length);
}
