// What members of a group tell each other through its coordinator, which does not look into it.
import { assign, type Claim } from './assign.ts';
import { MemberAssignment, MemberMetadata } from './kafkajs-parts.ts';

/** Members that know no protocol in common cannot be in one group: it changes with what they say. */
export const PROTOCOL = 'duewatch-sticky-1';

const VERSION = 1;

/** How a group is divided, and in which words its members tell each other. */
export interface Division<Place> {
  /** What a member says when it joins: what it serves. */
  claim(served: readonly Place[]): Buffer;
  /** What the leader of the group answers for all. */
  shares(
    members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[],
  ): readonly { readonly memberId: string; readonly memberAssignment: Buffer }[];
  /** What a member is told to serve. */
  share(memberAssignment: Buffer): readonly Place[];
}

/** The division of one topic's partitions. */
export function topicDivision(topic: string, partitionCount: number): Division<number> {
  return {
    claim: (served) => encodeClaim(topic, served),
    shares: (members) => encodeShares(topic, members, partitionCount),
    share: (memberAssignment) => decodeShare(topic, memberAssignment),
  };
}

/** What a member says when it joins: which partitions it serves. */
function encodeClaim(topic: string, partitions: readonly number[]): Buffer {
  const userData = Buffer.from(JSON.stringify({ partitions }));
  return MemberMetadata.encode({ version: VERSION, topics: [topic], userData });
}

/** What the leader of the group answers for all. */
function encodeShares(
  topic: string,
  members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[],
  partitionCount: number,
): readonly { readonly memberId: string; readonly memberAssignment: Buffer }[] {
  const shares = assign(members.map(toClaim), partitionCount);
  return Array.from(shares, ([memberId, partitions]) => ({
    memberId,
    memberAssignment: MemberAssignment.encode({ version: VERSION, assignment: { [topic]: partitions } }),
  }));
}

/** What a member is told to serve. */
function decodeShare(topic: string, memberAssignment: Buffer): readonly number[] {
  return MemberAssignment.decode(memberAssignment)?.assignment[topic] ?? [];
}

/** Whoever says what cannot be read claims nothing. */
function toClaim({ memberId, memberMetadata }: { memberId: string; memberMetadata: Buffer }): Claim {
  try {
    const { userData } = MemberMetadata.decode(memberMetadata) ?? {};
    const { partitions } = JSON.parse(String(userData)) as { readonly partitions?: unknown };
    return { memberId, partitions: Array.isArray(partitions) ? partitions.filter(Number.isInteger) : [] };
  } catch {
    return { memberId, partitions: [] };
  }
}
