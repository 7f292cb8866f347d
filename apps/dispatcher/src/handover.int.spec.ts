// A partition that goes from one dispatcher to another, also while the first does not know it yet: an agent that
// deduplicates sees each lapse once, and no outcome is lost.
import type { DataSource } from 'typeorm';
import type { AgentMessenger, FindOutcome, SendOutcome } from '#protocol';
import { systemClock } from '#runtime';
import { DispatchRig, type RunningDispatcher, until } from '#testing';
import { Dispatcher } from './dispatcher.ts';
import { openDispatchDatabase } from './outbox/dispatch-database.ts';
import { Outbox } from './outbox/outbox.ts';
import { OutboxFencedError } from './outbox/partition-ownership.ts';

interface Setup {
  readonly messenger: AgentMessenger;
}

/** An agent that takes each message once, whoever sends it. */
class DeduplicatingAgent {
  readonly received: string[] = [];

  take(messageId: string): void {
    if (!this.received.includes(messageId)) this.received.push(messageId);
  }

  has(messageId: string): boolean {
    return this.received.includes(messageId);
  }
}

let agent: DeduplicatingAgent;

/** Sends at once; or, where it is told to, not before it is let. */
class ToAgent implements AgentMessenger {
  readonly timeoutMs = 100;
  begunCount = 0;
  private going: Promise<void> = Promise.resolve();

  /** What is sent from here on leaves once the function given back is called. */
  hold(): () => void {
    let go: () => void = () => undefined;
    this.going = new Promise((resolve) => (go = resolve));
    return go;
  }

  send: AgentMessenger['send'] = async (_, { message }): Promise<SendOutcome> => {
    this.begunCount += 1;
    await this.going;
    agent.take(message.messageId);
    return { outcome: 'acknowledged', taskId: message.messageId };
  };

  find: AgentMessenger['find'] = async (_, { message }): Promise<FindOutcome> =>
    agent.has(message.messageId) ? { outcome: 'found', taskId: message.messageId } : { outcome: 'absent' };
}

const rig = new DispatchRig<Setup>(openDispatchDatabase, ({ story, database, targets }, { messenger }) => {
  const directory = { find: async (_: string, agentId: string) => targets.get(agentId) };
  const random = { fraction: () => 0.5 };
  const options = { backoff: { baseMs: 20, capMs: 200 }, stopGraceMs: 100 };
  return new Dispatcher(story.log, database, directory, messenger, systemClock, random, undefined, options);
});

beforeAll(() => rig.open());
afterAll(() => rig.close());
beforeEach(() => {
  agent = new DeduplicatingAgent();
  return rig.begin();
});
afterEach(() => rig.end());

const ids = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, index) => `e${from + index}`);

async function raise(...expectationIds: readonly string[]): Promise<void> {
  for (const id of expectationIds) await rig.story.raise('booking', id);
}

async function expectEachOnce(expectationIds: readonly string[]): Promise<void> {
  await rig.story.untilDecided('dispatchAcknowledged', expectationIds.length);
  await rig.untilOutbox(0);
  const acknowledged = await rig.story.decided('dispatchAcknowledged');
  expect(new Set(acknowledged.map(({ expectationId }) => expectationId))).toEqual(new Set(expectationIds));
  expect(agent.received.map((messageId) => messageId.split(':')[1]).sort()).toEqual([...expectationIds].sort());
}

it('goes on where the first let go of it in order', async () => {
  const first = rig.start({ messenger: new ToAgent() });
  await raise(...ids(0, 10));
  await rig.story.untilDecided('dispatchAcknowledged', 3);
  await rig.stop(first);
  expect(await first.served).toBe('left');
  await raise(...ids(10, 15));
  rig.start({ messenger: new ToAgent() });
  await expectEachOnce(ids(0, 15));
});

it('is taken from one that is in the middle of sending: what it had begun comes as the same message', async () => {
  const paused = new ToAgent();
  const first = rig.start({ messenger: paused });
  const go = paused.hold();
  await raise(...ids(0, 8));
  await until(() => paused.begunCount > 0, 'a submission under way');
  rig.start({ messenger: new ToAgent() });
  await rig.story.untilDecided('dispatchAcknowledged', 8);
  go();
  await raise(...ids(8, 12));
  await expectEachOnce(ids(0, 12));
  expect(await first.served).toBe('fenced');
});

it('is taken back and forth, and nothing is lost or sent as another', async () => {
  const dispatchers: RunningDispatcher[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    dispatchers.push(rig.start({ messenger: new ToAgent() }));
    await raise(...ids(turn * 6, turn * 6 + 6));
    await rig.story.untilDecided('dispatchAcknowledged', turn * 6 + 2);
  }
  await expectEachOnce(ids(0, 30));
  const before = dispatchers.slice(0, -1);
  expect(await Promise.all(before.map(({ served }) => served))).toEqual(before.map(() => 'fenced'));
});

describe('whoever has lost the rows', () => {
  let database: DataSource;
  let outbox: Outbox;
  const partition = 7;
  const now = new Date('2026-09-02T00:00:00Z');

  beforeEach(async () => {
    database = rig.database;
    outbox = new Outbox(database, partition);
    await outbox.takeOver();
    await outbox.follow([], 5, now);
    await new Outbox(database, partition).takeOver();
  });

  it('does not move the position', async () => {
    await expect(outbox.follow([], 3, now)).rejects.toThrow(OutboxFencedError);
    await expect(outbox.ownership.followed()).resolves.toMatchObject({ nextOffset: 5 });
  });

  it('changes no row, and is told so', async () => {
    const lapse = { lapseKey: 'k' } as Parameters<Outbox['claim']>[0];
    await expect(outbox.claim(lapse, now)).rejects.toThrow(OutboxFencedError);
    await expect(outbox.abandon(lapse, now)).rejects.toThrow(OutboxFencedError);
    await expect(outbox.settle(lapse, now, () => ({ remove: true }))).rejects.toThrow(OutboxFencedError);
    await expect(outbox.told([])).rejects.toThrow(OutboxFencedError);
  });
});
