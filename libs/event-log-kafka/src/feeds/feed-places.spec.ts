import { MemberMetadata } from '../kafkajs-parts.ts';
import { feedDivision, type FeedPlace, placeOf, readPlace } from './feed-places.ts';

const there = [placeOf('p.facts.acme', 0), placeOf('p.facts.acme', 1), placeOf('p.facts.globex', 0)];
const division = feedDivision(() => there);

function sharesOf(claims: Readonly<Record<string, readonly FeedPlace[]>>): Record<string, readonly FeedPlace[]> {
  const members = Object.entries(claims).map(([memberId, served]) => ({
    memberId,
    memberMetadata: division.claim(served),
  }));
  return Object.fromEntries(
    division.shares(members).map(({ memberId, memberAssignment }) => [memberId, division.share(memberAssignment)]),
  );
}

it('is named by topic and partition, and read back', () => {
  expect(readPlace(placeOf('p.facts.acme', 12))).toEqual({ topic: 'p.facts.acme', partition: 12 });
});

describe('the partitions of feeds', () => {
  it('are all given out, evenly', () => {
    const shares = sharesOf({ a: [], b: [] });
    expect([...shares['a']!, ...shares['b']!].sort()).toEqual([...there].sort());
    expect(Math.abs(shares['a']!.length - shares['b']!.length)).toBe(1);
  });

  it('stay with who has them', () => {
    const shares = sharesOf({ a: [there[1]!, there[2]!], b: [there[0]!] });
    expect(shares['a']!.toSorted()).toEqual([there[1]!, there[2]!].toSorted());
    expect(shares['b']).toEqual([there[0]]);
  });

  it('that are no more are given to nobody, whoever claims them', () => {
    expect(sharesOf({ a: [placeOf('p.facts.gone', 0)] })['a']!.toSorted()).toEqual([...there].sort());
  });

  it('are not claimed by a member that says what cannot be read', () => {
    const memberMetadata = MemberMetadata.encode({ version: 1, topics: [], userData: Buffer.from('?') });
    expect(division.shares([{ memberId: 'a', memberMetadata }])).toHaveLength(1);
  });
});
