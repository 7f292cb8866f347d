// The partitions of feeds as names, and how a group divides them: as evenly as they come, and who has one keeps it.
import { assign } from '../assign.ts';
import type { Division } from '../group-protocol.ts';
import { MemberAssignment, MemberMetadata } from '../kafkajs-parts.ts';

/** `partition@topic`: a topic's name has no `@`. */
export type FeedPlace = string;

const VERSION = 1;

export function placeOf(topic: string, partition: number): FeedPlace {
  return `${partition}@${topic}`;
}

export function readPlace(place: FeedPlace): { readonly topic: string; readonly partition: number } {
  const at = place.indexOf('@');
  return { partition: Number(place.slice(0, at)), topic: place.slice(at + 1) };
}

/** By topic, as the protocol has them. */
export function byTopic(places: readonly FeedPlace[]): Readonly<Record<string, readonly number[]>> {
  const topics: Record<string, number[]> = {};
  for (const place of places) {
    const { topic, partition } = readPlace(place);
    (topics[topic] ??= []).push(partition);
  }
  return topics;
}

/** The division of what `places` says is there, which the leader of the group is asked. */
export function feedDivision(places: () => readonly FeedPlace[]): Division<FeedPlace> {
  return {
    claim: (served) =>
      MemberMetadata.encode({
        version: VERSION,
        topics: Object.keys(byTopic([...served, ...places()])),
        userData: Buffer.from(JSON.stringify(served)),
      }),
    shares: (members) => {
      const all = [...places()].sort();
      const indices = new Map(all.map((place, index) => [place, index]));
      const claims = members.map(({ memberId, memberMetadata }) => ({
        memberId,
        partitions: claimed(memberMetadata).flatMap((place) => indices.get(place) ?? []),
      }));
      return Array.from(assign(claims, all.length), ([memberId, share]) => {
        const assignment = byTopic(share.flatMap((index) => all[index] ?? []));
        return { memberId, memberAssignment: MemberAssignment.encode({ version: VERSION, assignment }) };
      });
    },
    share: (memberAssignment) => {
      const { assignment = {} } = MemberAssignment.decode(memberAssignment) ?? {};
      return Object.entries(assignment).flatMap(([topic, partitions]) =>
        partitions.map((partition) => placeOf(topic, partition)),
      );
    },
  };
}

/** Whoever says what cannot be read claims nothing. */
function claimed(memberMetadata: Buffer): readonly FeedPlace[] {
  try {
    const { userData } = MemberMetadata.decode(memberMetadata) ?? {};
    const places: unknown = JSON.parse(String(userData));
    return Array.isArray(places) ? places.filter((place) => typeof place === 'string') : [];
  } catch {
    return [];
  }
}
