// An agent that makes one task of one message, and answers nothing: what is not looked for, but sent again, tells
// nothing of it either. On a virtual clock.
import { jest } from '@jest/globals';
import type { AgentMessenger, SendOutcome } from '#protocol';
import { DispatchRig, ManualClock, until } from '#testing';
import { Dispatcher } from './dispatcher.ts';
import { openDispatchDatabase } from './outbox/dispatch-database.ts';

let clock: ManualClock;
let sent: string[];

const messenger: AgentMessenger = {
  timeoutMs: 10_000,
  send: async (_, { message }): Promise<SendOutcome> => {
    sent.push(message.messageId.split(':')[1] ?? '');
    return { outcome: 'unknown', cause: 'no answer' };
  },
  find: async () => ({ outcome: 'absent' }),
};

const rig = new DispatchRig<undefined>(openDispatchDatabase, ({ story, database, targets }) => {
  const directory = { find: async (_: string, agentId: string) => targets.get(agentId) };
  const random = { fraction: () => 0.5 };
  return new Dispatcher(story.log, database, directory, messenger, clock, random, undefined, {});
});

beforeAll(() => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  return rig.open();
});
afterAll(() => rig.close());
beforeEach(() => {
  clock = new ManualClock(Date.parse('2026-09-01T00:00:00Z'));
  sent = [];
  return rig.begin();
});
afterEach(() => rig.end());

it('is tried with its oldest lapse alone, until it answers', async () => {
  rig.targets.set('booking', { card: rig.agent.card, dispatch: { dedupes: 'yes' } });
  rig.start(undefined);
  await rig.story.raiseAll('booking', ['e1', 'e2', 'e3']);
  await until(async () => {
    await clock.advance(1_000);
    return sent.filter((id) => id === 'e1').length === 6;
  }, 'the oldest to be tried again and again');
  const others = sent.filter((id) => id !== 'e1');
  expect(new Set(others).size).toBe(others.length);
});
