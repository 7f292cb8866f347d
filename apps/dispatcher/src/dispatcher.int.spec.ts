import { jest } from '@jest/globals';
import { type AgentMessenger, EXTENSION_URI, SdkMessenger } from '#protocol';
import { systemClock } from '#runtime';
import { DispatchRig, FakeAgent, loopbackOutbound, until } from '#testing';
import { Dispatcher } from './dispatcher.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';
import type { ExpectationTexts } from './expectation-texts.ts';
import { openDispatchDatabase } from './outbox/dispatch-database.ts';

const sdk = new SdkMessenger({ outbound: loopbackOutbound(), now: () => systemClock.now() });
const brisk: DispatcherOptions = { backoff: { baseMs: 20, capMs: 200 } };

interface Setup {
  readonly messenger?: AgentMessenger;
  readonly options?: DispatcherOptions;
  readonly texts?: ExpectationTexts;
}

const rig = new DispatchRig<Setup>(
  openDispatchDatabase,
  ({ story, database, targets }, { messenger = sdk, options = brisk, texts }) => {
    const directory = { find: async (_: string, agentId: string) => targets.get(agentId) };
    const random = { fraction: () => 0.5 };
    return new Dispatcher(story.log, database, directory, messenger, systemClock, random, texts, options);
  },
);

beforeAll(() => {
  // The SDK's server warns of every reference to a task that it does not know.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  return rig.open();
});
afterAll(() => rig.close());
beforeEach(() => rig.begin());
afterEach(() => rig.end());

describe('a lapse', () => {
  it('is submitted once, and the log is told before and after', async () => {
    rig.start({ texts: { find: async () => new Map([['e1', { expects: 'x', grace: 'PT2H' }]]) } });
    await rig.story.raise('booking', 'e1');
    const [acknowledged] = await rig.story.untilDecided('dispatchAcknowledged');
    expect(acknowledged).toMatchObject({ agentId: 'booking', expectationId: 'e1', lapse: 'overdue', attempt: 1 });
    expect(acknowledged?.taskId).toEqual(expect.any(String));
    await expect(rig.story.decided('dispatchAttempted')).resolves.toMatchObject([{ attempt: 1 }]);
    await rig.untilOutbox(0);
    const [lapsed] = await rig.story.decided('expectationLapsed');
    expect(rig.agent.received).toMatchObject([
      {
        messageId: 'lapse:e1:overdue:2026-01-01T00:00:00Z',
        contextId: 'context-booking',
        taskId: expect.any(String),
        referenceTaskIds: ['task-booking'],
        metadata: { [EXTENSION_URI]: { lapse: lapsed?.lapse } },
        parts: [{ content: { value: expect.stringContaining('with PT2H of grace') } }],
      },
    ]);
  });

  it('is submitted after those that lapsed before it, each once', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `e${String(index).padStart(2, '0')}`);
    for (const id of ids) await rig.story.raise('booking', id);
    rig.start({});
    await rig.story.untilDecided('dispatchAcknowledged', 30);
    await rig.untilOutbox(0);
    expect([...rig.lapsesReceived].sort()).toEqual(ids);
    // Those under way at once, at most four, may overtake each other.
    const places = rig.lapsesReceived.map((id, place) => Math.abs(place - ids.indexOf(id)));
    expect(Math.max(...places)).toBeLessThan(4);
  });

  it('of an agent that keeps its own time is not submitted', async () => {
    const params = {
      keepsTime: true,
      kinds: [{ kind: 'departure', subjectType: 'flight', describes: 'd', basis: 'observed' }],
    };
    await rig.story.tell({ type: 'agentDeclared', agentId: 'self', params });
    await rig.story.raise('self', 'e1');
    await rig.story.raise('booking', 'e2');
    rig.start({});
    await rig.story.untilDecided('dispatchAcknowledged');
    expect(rig.lapsesReceived).toEqual(['e2']);
  });
});

describe('an agent that does not take it', () => {
  it('is tried again after what it asked for, and the log is told of the failure once', async () => {
    rig.agent.sendFaults.push({ status: 429, headers: { 'retry-after': '0' } }, { status: 429 }, { status: 429 });
    rig.start({});
    await rig.story.raise('booking', 'e1');
    const [acknowledged] = await rig.story.untilDecided('dispatchAcknowledged');
    expect(acknowledged?.attempt).toBe(4);
    await expect(rig.story.decided('dispatchFailed')).resolves.toMatchObject([{ attempt: 1, outcome: 'unreachable' }]);
    expect(rig.agent.received).toHaveLength(1);
  });

  it('delays no other', async () => {
    const dead = await FakeAgent.start();
    await dead.stop();
    rig.targets.set('dead', { card: dead.card });
    await rig.story.declare('dead');
    for (const id of ['d1', 'd2', 'd3', 'd4', 'd5', 'd6']) await rig.story.raise('dead', id);
    await rig.story.raise('booking', 'e1');
    rig.start({});
    await rig.story.untilDecided('dispatchAcknowledged');
    expect(rig.lapsesReceived).toEqual(['e1']);
    const failed = await rig.story.untilDecided('dispatchFailed');
    expect(new Set(failed.map(({ agentId }) => agentId))).toEqual(new Set(['dead']));
    await rig.untilOutbox(6);
  });

  it('or refuses it for good is left alone until it is registered anew', async () => {
    rig.agent.sendFaults.push({ status: 401, body: 'who?' });
    rig.start({});
    await rig.story.raise('booking', 'e1');
    await expect(rig.story.untilDecided('dispatchFailed')).resolves.toMatchObject([{ outcome: 'parked', attempt: 1 }]);
    await rig.untilState('parked');
    await rig.story.declare('booking');
    await rig.story.untilDecided('dispatchAcknowledged');
    expect(rig.agent.received).toHaveLength(1);
  });

  it('or is not registered is left alone until it is', async () => {
    await rig.story.declare('later');
    rig.start({});
    await rig.story.raise('later', 'e1');
    await expect(rig.story.untilDecided('dispatchFailed')).resolves.toMatchObject([
      { outcome: 'parked', cause: 'the agent is not registered' },
    ]);
    rig.targets.set('later', { card: rig.agent.card });
    await rig.story.declare('later');
    await rig.story.untilDecided('dispatchAcknowledged');
    expect(rig.lapsesReceived).toEqual(['e1']);
  });
});

describe('what was closed before it was submitted is not submitted', () => {
  it('when it was closed before the dispatcher saw it', async () => {
    await rig.story.raise('booking', 'e1');
    await rig.story.report('e1');
    await rig.story.untilDecided('dispatchVoided');
    await rig.story.raise('booking', 'e2');
    rig.start({});
    await rig.story.untilDecided('dispatchAcknowledged');
    await rig.untilOutbox(0);
    expect(rig.lapsesReceived).toEqual(['e2']);
  });

  it('when the log has the fact before the attempt', async () => {
    await rig.story.raise('booking', 'e1');
    await rig.story.untilDecided('expectationLapsed');
    const resume = rig.story.decider.pause();
    await rig.story.tell({ type: 'tick' });
    await rig.story.report('e1');
    rig.start({});
    await rig.untilState('asked');
    await until(
      async () => (await rig.story.log.bounds('inbox', rig.story.partition)).end >= 5,
      'the attempt in the inbox',
    );
    resume();
    await expect(rig.story.untilDecided('dispatchVoided', 2)).resolves.toMatchObject([
      { attempt: 0 },
      { attempt: 1, cause: 'satisfied' },
    ]);
    await rig.untilOutbox(0);
    expect(rig.agent.seen).toHaveLength(0);
  });

  it('when it is closed while the agent is away', async () => {
    rig.agent.sendFaults.push({ status: 429, headers: { 'retry-after': '3000' } });
    rig.start({});
    await rig.story.raise('booking', 'e1');
    await rig.story.untilDecided('dispatchFailed');
    await rig.story.report('e1');
    await rig.story.untilDecided('dispatchVoided');
    await rig.untilOutbox(0);
    expect(rig.agent.received).toHaveLength(0);
  });
});

describe('an agent', () => {
  it('gets at most four at once', async () => {
    let underWay = 0;
    let most = 0;
    rig.start({
      messenger: {
        timeoutMs: 100,
        send: async () => {
          underWay += 1;
          most = Math.max(most, underWay);
          await systemClock.sleep(5);
          underWay -= 1;
          return { outcome: 'acknowledged', taskId: 't' };
        },
        find: async () => ({ outcome: 'absent' }),
      },
    });
    for (let index = 0; index < 20; index += 1) await rig.story.raise('booking', `e${index}`);
    await rig.story.untilDecided('dispatchAcknowledged', 20);
    expect(most).toBeLessThanOrEqual(4);
    expect(most).toBeGreaterThan(1);
  });
});
