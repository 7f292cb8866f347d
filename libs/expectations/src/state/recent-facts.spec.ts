// Facts of the early-fact window: found by key, first received first, each agent served once; and a flood of one key
// costs a few steps a fact. Steps are counted, not timed.
import { jest } from '@jest/globals';
import { hashString } from '../hash.ts';
import { Agent } from './agent.ts';
import { type RecentFact, RecentFacts } from './recent-facts.ts';
import { Ring } from './ring.ts';

const booking = new Agent('booking', 0);
const customs = new Agent('customs', 1);
const key = hashString('departed:S1');

function fact(number: number, factKey = 'departed:S1'): RecentFact {
  const received = {
    reporter: 'tower',
    receivedAt: number * 10,
    observedAt: number * 10 - 1,
    firstObservedAt: number * 10 - 1,
    number,
  };
  return { keyHash: hashString(factKey), factHash: hashString(`${factKey} ${number}`), ...received };
}

/** The numbers of the facts of a key that an agent may still be served by, first received first. */
function unserved(recent: RecentFacts, agent: Agent, factKey = 'departed:S1'): number[] {
  const numbers: number[] = [];
  const keyHash = hashString(factKey);
  for (let at = recent.nextUnserved(keyHash, agent, -1); at >= 0; at = recent.nextUnserved(keyHash, agent, at)) {
    numbers.push(recent.get(at).number);
  }
  return numbers;
}

function filled(...numbers: readonly number[]): RecentFacts {
  const recent = new RecentFacts();
  for (const number of numbers) recent.add(fact(number));
  return recent;
}

describe('facts received lately', () => {
  it('are given back as they were added', () => {
    const recent = filled(1, 2);
    recent.add(fact(3, 'arrived:S1'));
    expect(recent.get(1)).toEqual(fact(2));
    expect(recent.get(2)).toEqual(fact(3, 'arrived:S1'));
    expect(unserved(recent, booking)).toEqual([1, 2]);
    expect(unserved(recent, booking, 'arrived:S1')).toEqual([3]);
    expect(unserved(recent, booking, 'arrived:S2')).toEqual([]);
  });

  it('serve each agent once', () => {
    const recent = filled(1, 2, 3);
    recent.serve(0, booking);
    recent.serve(2, booking);
    recent.serve(0, customs);
    expect(unserved(recent, booking)).toEqual([2]);
    expect(unserved(recent, customs)).toEqual([2, 3]);
    expect(recent.servedOf(0)).toEqual([booking, customs]);
    expect(recent.servedOf(1)).toEqual([]);
  });

  it('count no longer when they were received anew', () => {
    const recent = filled(1, 2);
    recent.kill(0);
    recent.add({ ...fact(1), receivedAt: 30 });
    expect(unserved(recent, booking)).toEqual([2, 1]);
    expect(recent.findNumber(key, 1)).toBe(2);
    expect([...recent.positions()]).toEqual([1, 2]);
  });

  it('are found by number, for an agent only behind what was passed for it', () => {
    const recent = filled(1, 2, 3);
    recent.serve(0, booking);
    expect(recent.findNumber(key, 1, booking)).toBe(0);
    recent.advance(key, booking);
    expect(recent.findNumber(key, 1, booking)).toBe(-1);
    expect(recent.findNumber(key, 2, booking)).toBe(1);
    expect(recent.findNumber(key, 1, customs)).toBe(0);
    expect(recent.findNumber(key, 1)).toBe(0);
    expect(recent.findNumber(key, 9)).toBe(-1);
  });

  it('are forgotten from the oldest on, and the next of the key is then its first', () => {
    const recent = filled(1, 2, 3);
    expect(recent.oldestAt).toBe(10);
    recent.serve(0, booking);
    recent.serve(1, booking);
    recent.advance(key, booking);
    recent.dropOldest();
    recent.dropOldest();
    expect(recent.oldestAt).toBe(30);
    expect(unserved(recent, booking)).toEqual([3]);
    recent.add(fact(4));
    recent.dropOldest();
    expect(unserved(recent, booking)).toEqual([4]);
    recent.dropOldest();
    expect(recent.oldestAt).toBe(Infinity);
    expect(unserved(recent, booking)).toEqual([]);
  });
});

describe('a flood of one key', () => {
  const count = 3_000;
  const steps = jest.spyOn(Ring.prototype, 'chunkOf');
  beforeEach(() => steps.mockClear());
  afterAll(() => steps.mockRestore());

  it('is searched in a few steps a fact, though each has served the agent when the next is looked for', () => {
    const recent = filled(...Array.from({ length: count }, (_, index) => index + 1));
    steps.mockClear();
    for (let number = 1; number <= count; number += 1) {
      recent.advance(key, booking);
      const at = recent.nextUnserved(key, booking, -1);
      expect(recent.findNumber(key, number, booking)).toBe(at);
      recent.serve(at, booking);
    }
    expect(steps.mock.calls.length / count).toBeLessThan(30);
  });

  it('is forgotten in a few steps a fact', () => {
    const recent = filled(...Array.from({ length: count }, (_, index) => index + 1));
    for (let number = 1; number < count; number += 1) recent.serve(number - 1, booking);
    recent.advance(key, booking);
    steps.mockClear();
    for (let number = 1; number < count; number += 1) recent.dropOldest();
    expect(unserved(recent, booking)).toEqual([count]);
    expect(steps.mock.calls.length / count).toBeLessThan(30);
  });
});
