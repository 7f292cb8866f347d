// What operators are told of tasks that cannot be followed, and when.
import type { Unfollowed } from '#runtime';
import type { FollowPorts } from './follow-ports.ts';
import { FollowTroubles } from './follow-troubles.ts';
import type { Standing } from './no-answer.ts';

const lost: Unfollowed = { count: 1, cause: 'unknownTask', message: 'none' };

function story(): {
  readonly told: unknown[];
  tell(atMs: number, standing: Standing): Promise<void>;
  keep(): Promise<void>;
} {
  const told: unknown[] = [];
  let nowMs = 0;
  const note = (...words: readonly unknown[]): Promise<void> => Promise.resolve(void told.push(words));
  const ports = {
    troubles: {
      unfollowed: (_: string, agentId: string, { count }: Unfollowed) => note(agentId, count),
      followed: (_: string, agentIds: readonly string[]) => note('followed', ...agentIds),
      followedBut: (_: string, agentIds: readonly string[]) => note('but', ...agentIds),
    },
    clock: { now: () => nowMs },
    options: { troubleEveryMs: 15_000 },
  } as unknown as FollowPorts;
  const troubles = new FollowTroubles('acme', ports);
  return {
    told,
    tell: (atMs, standing) => {
      nowMs = atMs;
      return troubles.tell([{ agentId: 'booking', standing }]);
    },
    keep: () => troubles.keepOnly(['booking']),
  };
}

it('they are told what is news, once, and no more often than now and then', async () => {
  const { told, tell } = story();
  await tell(0, lost);
  await tell(3_000, lost);
  await tell(6_000, { ...lost, count: 2 });
  expect(told).toEqual([['booking', 1]]);
  await tell(15_000, { ...lost, count: 2 });
  await tell(30_000, 'followed');
  await tell(45_000, 'followed');
  expect(told).toEqual([
    ['booking', 1],
    ['booking', 2],
    ['followed', 'booking'],
  ]);
});

it('nothing is taken back while it is not certain', async () => {
  const { told, tell } = story();
  await tell(0, undefined);
  expect(told).toEqual([]);
});

it('what nothing is to be followed of any more is taken back, now and then', async () => {
  const { told, keep } = story();
  await keep();
  await keep();
  expect(told).toEqual([['but', 'booking']]);
});
