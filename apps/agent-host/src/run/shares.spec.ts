// How much there may be at once.
import { Shares } from './shares.ts';

const take = (shares: Shares, holders: string) => Array.from(holders, (holder) => shares.take(holder));

it('is bounded, of one and of all, and had again once it is given back', () => {
  const shares = new Shares({ userCount: 2, allCount: 3 });
  const [first, , third, , fifth] = take(shares, 'aaabb');
  expect([first, third, fifth].map((share) => share === undefined)).toEqual([false, true, true]);
  first?.free();
  first?.free();
  expect(take(shares, 'bab').map((share) => share === undefined)).toEqual([false, true, true]);
});

it('is given back for a while, and taken again whatever there is meanwhile', () => {
  const shares = new Shares({ userCount: 1, allCount: 1 });
  const waiting = shares.take('a');
  waiting?.pause();
  const [other] = take(shares, 'a');
  waiting?.goOn();
  other?.free();
  expect(take(shares, 'ab')).toEqual([undefined, undefined]);
  waiting?.free();
  waiting?.goOn();
  expect(shares.take('b')).toBeDefined();
});

it('cannot be refused to what is under way', () => {
  const shares = new Shares({ userCount: 1, allCount: 1 });
  const held = [shares.hold('a'), shares.hold('a')];
  held[0]?.free();
  expect(shares.take('b')).toBeUndefined();
  held[1]?.free();
  expect(shares.take('b')).toBeDefined();
});
