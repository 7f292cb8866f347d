// An agent's rate as it is kept while lapses wait, on a virtual clock; and that what closes while it waits is not sent.
import { jest } from '@jest/globals';
import type { LapseRequest, SendOutcome } from '#protocol';
import { DispatchRig, ManualClock, until } from '#testing';
import { Dispatcher } from './dispatcher.ts';
import { openDispatchDatabase } from './outbox/dispatch-database.ts';

const startMs = Date.parse('2026-09-01T00:00:00Z');

let clock: ManualClock;
let sent: string[];

const rig = new DispatchRig<undefined>(openDispatchDatabase, ({ story, database, targets }) => {
  const directory = { find: async (_: string, agentId: string) => targets.get(agentId) };
  const messenger = {
    timeoutMs: 10_000,
    send: async (_: unknown, { message }: LapseRequest): Promise<SendOutcome> => {
      sent.push(message.messageId.split(':')[1] ?? '');
      return { outcome: 'acknowledged', taskId: message.messageId };
    },
    find: async () => ({ outcome: 'absent' as const }),
  };
  const options = { rates: { tenantPerMinute: 120 } };
  return new Dispatcher(story.log, database, directory, messenger, clock, { fraction: () => 0.5 }, undefined, options);
});

beforeAll(() => {
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  return rig.open();
});
afterAll(() => rig.close());
beforeEach(async () => {
  clock = new ManualClock(startMs);
  sent = [];
  await rig.begin();
});
afterEach(() => rig.end());

async function registered(agentId: string, ratePerMinute: number): Promise<void> {
  rig.targets.set(agentId, { card: rig.agent.card, dispatch: { ratePerMinute } });
  await rig.story.declare(agentId);
}

/** Lets time pass as it is waited for, until so many are sent. */
async function pass(count: number): Promise<void> {
  await until(async () => {
    if (sent.length < count) await clock.advance(500);
    return sent.length >= count;
  }, `${count} to be sent`);
}

it('is the agent’s own where it has one', async () => {
  await registered('booking', 1);
  rig.start(undefined);
  await rig.story.raiseAll('booking', ['e1', 'e2', 'e3']);
  await pass(3);
  expect(sent).toEqual(['e1', 'e2', 'e3']);
  expect(clock.now() - startMs).toBeGreaterThanOrEqual(120_000);
});

it('is shared by a tenant’s agents: a flood for one keeps no other waiting behind all of it', async () => {
  await registered('booking', 60_000);
  await registered('other', 60_000);
  rig.start(undefined);
  await rig.story.raiseAll(
    'booking',
    Array.from({ length: 40 }, (_, nth) => `flood-${nth}`),
  );
  await pass(4);
  await rig.story.raise('other', 'single');
  await pass(41);
  expect(sent.indexOf('single')).toBeLessThan(40);
  expect(clock.now() - startMs).toBeGreaterThanOrEqual(18_000);
});

it('keeps nothing ready to leave: what closes while it waits for the rate is not sent', async () => {
  await registered('booking', 1);
  rig.start(undefined);
  await rig.story.raiseAll('booking', ['e1', 'e2', 'e3']);
  await until(() => sent.length === 1);
  await rig.story.untilDecided('dispatchAcknowledged');
  await rig.untilOutbox(2);
  await until(async () => (await rig.outbox()).every(({ state }) => state === 'ready'), 'leave for the others');
  await rig.story.report('e2');
  await rig.story.untilDecided('dispatchVoided');
  await pass(2);
  await rig.untilOutbox(0);
  expect(sent).toEqual(['e1', 'e3']);
});
