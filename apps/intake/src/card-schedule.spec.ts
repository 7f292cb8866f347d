// Whose card is read next, while some agents do not answer.
import type { AgentCards, CardClaim } from '#runtime';
import { systemClock } from '#runtime';
import type { Writes } from '#writes';
import type { CardReader } from './card-reader.ts';
import { CardSchedule } from './card-schedule.ts';

function claim(tenant: string, agentId: string): CardClaim {
  return { tenant, agentId, revision: '1', isUntold: false, isContended: false };
}

function schedule(cards: unknown, reader: unknown): CardSchedule {
  return new CardSchedule(cards as AgentCards, reader as CardReader, {} as Writes, systemClock);
}

it('an agent that does not answer holds up one place, and no card of another tenant', async () => {
  const waiting = [
    claim('slow', 'hangs-1'),
    claim('slow', 'hangs-2'),
    ...Array.from({ length: 40 }, (_, index) => claim('quick', `agent-${index}`)),
  ];
  const helds: (readonly string[])[] = [];
  const cards = {
    claimDue: (limit: number, { held }: { readonly held: readonly string[] }) => {
      helds.push(held);
      return Promise.resolve(waiting.splice(0, limit));
    },
  };
  let answer = (): void => undefined;
  const hanging = new Promise<void>((resolve) => (answer = resolve));
  let left = 40;
  const reader = {
    read: async ({ tenant }: CardClaim) => {
      if (tenant === 'slow') await hanging;
      else if ((left -= 1) === 0) answer();
      return { outcome: 'unchanged', periodSeconds: 1 };
    },
  };
  // The agents that hang answer only once all others are read.
  expect(await schedule(cards, reader).pass()).toBe(42);
  expect(helds.every((held) => held.length < 8)).toBe(true);
  expect(helds.filter((held) => held.filter((tenant) => tenant === 'slow').length === 2)).not.toHaveLength(0);
});

it('what fails is thrown once what was begun beside it is over', async () => {
  const waiting = [claim('a', 'fails'), claim('b', 'goes on')];
  const cards = { claimDue: (limit: number) => Promise.resolve(waiting.splice(0, limit)) };
  let isOver = false;
  const reader = {
    read: async ({ tenant }: CardClaim) => {
      if (tenant === 'a') throw new Error('gone');
      await new Promise(setImmediate);
      isOver = true;
      return { outcome: 'unchanged', periodSeconds: 1 };
    },
  };
  await expect(schedule(cards, reader).pass()).rejects.toThrow('gone');
  expect(isOver).toBe(true);
});
