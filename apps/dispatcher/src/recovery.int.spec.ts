import { jest } from '@jest/globals';
import { type AgentMessenger, type FindOutcome, SdkMessenger, type SendOutcome } from '#protocol';
import { systemClock } from '#runtime';
import { DispatchRig, loopbackOutbound, unheard, until } from '#testing';
import { Dispatcher } from './dispatcher.ts';
import type { DispatcherOptions } from './dispatcher-options.ts';
import { openDispatchDatabase } from './outbox/dispatch-database.ts';

const sdk = new SdkMessenger({ outbound: loopbackOutbound(), now: () => systemClock.now(), timeoutMs: 1_000 });
const brisk: DispatcherOptions = { backoff: { baseMs: 20, capMs: 200 } };

interface Setup {
  readonly messenger?: AgentMessenger;
  readonly options?: DispatcherOptions;
}

const rig = new DispatchRig<Setup>(
  openDispatchDatabase,
  ({ story, database, targets }, { messenger = sdk, options = brisk }) => {
    const directory = { find: async (_: string, agentId: string) => targets.get(agentId) };
    const random = { fraction: () => 0.5 };
    return new Dispatcher(story.log, database, directory, messenger, systemClock, random, undefined, options);
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

describe('what may be with the agent', () => {
  it('is looked for, found, and not sent again', async () => {
    rig.agent.sendFaults.push('cut');
    rig.start({});
    await rig.story.raise('booking', 'e1');
    const [acknowledged] = await rig.story.untilDecided('dispatchAcknowledged');
    expect(acknowledged).toMatchObject({ attempt: 1, taskId: expect.any(String) });
    await expect(rig.story.decided('dispatchFailed')).resolves.toMatchObject([{ outcome: 'unknown', attempt: 1 }]);
    expect(rig.agent.received).toHaveLength(1);
    expect(rig.agent.sends).toHaveLength(1);
  });

  it('is looked for until the agent can be asked', async () => {
    rig.agent.sendFaults.push('cut');
    rig.agent.lookUpFaults.push({ status: 503 }, 'lost');
    rig.start({});
    await rig.story.raise('booking', 'e1');
    await rig.story.untilDecided('dispatchAcknowledged');
    expect(rig.agent.sends).toHaveLength(1);
  });

  it('is sent again where the agent has none of it', async () => {
    rig.agent.sendFaults.push('lost');
    rig.start({});
    await rig.story.raise('booking', 'e1');
    const [acknowledged] = await rig.story.untilDecided('dispatchAcknowledged');
    expect(acknowledged?.attempt).toBe(2);
    expect(rig.agent.received).toHaveLength(1);
  });

  it('is sent again where the agent can never tell: late, rather than never', async () => {
    rig.agent.sendFaults.push('lost');
    rig.agent.lookUpFaults.push({ status: 404 });
    rig.start({});
    await rig.story.raise('booking', 'e1');
    await expect(rig.story.untilDecided('dispatchAcknowledged')).resolves.toMatchObject([{ attempt: 2 }]);
    expect(rig.agent.received).toHaveLength(1);
    const attempts = await rig.story.decided('dispatchAttempted');
    expect(attempts.map(({ attempt, possibleDuplicate }) => ({ attempt, possibleDuplicate }))).toEqual([
      { attempt: 1, possibleDuplicate: undefined },
      { attempt: 2, possibleDuplicate: true },
    ]);
  });

  it('is not sent again where the log has it closed before that attempt', async () => {
    let resume: (() => void) | undefined;
    let sendsCount = 0;
    rig.start({
      messenger: {
        timeoutMs: 100,
        send: async (): Promise<SendOutcome> => {
          sendsCount += 1;
          return { outcome: 'unknown', cause: 'cut' };
        },
        find: async () => {
          const paused = rig.story.decider.pause();
          await rig.story.tell({ type: 'tick' });
          await rig.story.report('e1');
          resume = paused;
          return { outcome: 'cannotTell', cause: 'no list', temporary: false };
        },
      },
    });
    await rig.story.raise('booking', 'e1');
    await until(() => resume !== undefined, 'a look at the agent');
    await rig.untilState('asked');
    resume?.();
    await rig.untilOutbox(0);
    await expect(rig.story.untilDecided('dispatchVoided', 2)).resolves.toMatchObject([
      { attempt: 0, cause: 'satisfied' },
      { attempt: 2, cause: 'satisfied' },
    ]);
    expect(sendsCount).toBe(1);
  });

  it.each<[string, FindOutcome, object[]]>([
    ['stays in the record as submitted', { outcome: 'found', taskId: 'there' }, [{ taskId: 'there', attempt: 1 }]],
    ['is never sent', { outcome: 'absent' }, []],
  ])('and was closed meanwhile %s', async (_, found, acknowledged) => {
    let look: () => void = () => undefined;
    const looked = new Promise<void>((resolve) => (look = resolve));
    let sendsCount = 0;
    rig.start({
      messenger: {
        timeoutMs: 100,
        send: async (): Promise<SendOutcome> => {
          sendsCount += 1;
          return { outcome: 'unknown', cause: 'cut' };
        },
        find: async () => {
          await looked;
          return found;
        },
      },
    });
    await rig.story.raise('booking', 'e1');
    await rig.story.untilDecided('dispatchFailed');
    await rig.story.report('e1');
    await rig.story.untilDecided('dispatchVoided');
    await until(async () => (await rig.outbox())[0]?.closed === true, 'the row closed');
    look();
    await rig.untilOutbox(0);
    await expect(rig.story.decided('dispatchAcknowledged')).resolves.toMatchObject(acknowledged);
    expect(sendsCount).toBe(1);
  });
});

describe('after a crash', () => {
  const crashing = unheard(sdk);

  it('between sending and the outcome, the lapse is found at the agent and not sent again', async () => {
    const first = rig.start({ messenger: crashing, options: { ...brisk, stopGraceMs: 0 } });
    await rig.story.raise('booking', 'e1');
    await until(() => rig.agent.received.length === 1);
    rig.crash(first);
    rig.start({});
    const [acknowledged] = await rig.story.untilDecided('dispatchAcknowledged');
    expect(acknowledged).toMatchObject({ attempt: 1, taskId: expect.any(String) });
    expect(rig.agent.sends).toHaveLength(1);
  });

  it('that cost the tables as well, what was attempted is looked for, and the rest is sent', async () => {
    const first = rig.start({ messenger: crashing, options: { ...brisk, stopGraceMs: 0 } });
    await rig.story.raise('booking', 'e1');
    await until(() => rig.agent.received.length === 1);
    rig.crash(first);
    await rig.loseTables();
    await rig.story.raise('booking', 'e2');
    rig.start({});
    await rig.story.untilDecided('dispatchAcknowledged', 2);
    expect(rig.lapsesReceived).toEqual(['e1', 'e2']);
    expect(rig.agent.sends).toHaveLength(2);
  });

  it('that cost the tables, what was acknowledged stays so', async () => {
    const first = rig.start({});
    await rig.story.raise('booking', 'e1');
    await rig.story.untilDecided('dispatchAcknowledged');
    await rig.stop(first);
    await rig.loseTables();
    await rig.story.raise('booking', 'e2');
    rig.start({});
    await rig.story.untilDecided('dispatchAcknowledged', 2);
    await rig.untilOutbox(0);
    expect(rig.lapsesReceived).toEqual(['e1', 'e2']);
  });

  it('before the log was told, it is told after the start', async () => {
    rig.agent.sendFaults.push({ status: 429, headers: { 'retry-after': '3000' } });
    const first = rig.start({});
    await rig.story.raise('booking', 'e1');
    await rig.story.untilDecided('dispatchFailed');
    await rig.stop(first);
    await rig.database.query(
      `UPDATE duewatch_dispatch.outbox SET state = 'submitted', report = '{"type":"dispatchAcknowledged","agentId":"booking","expectationId":"e1","lapse":"overdue","attempt":2,"taskId":"t"}'`,
    );
    rig.start({});
    await expect(rig.story.untilDecided('dispatchAcknowledged')).resolves.toMatchObject([{ taskId: 't' }]);
    await rig.untilOutbox(0);
  });
});

describe('told to stop', () => {
  it('it lets go of what is being sent after a while, and says that it is unknown', async () => {
    const dispatcher = rig.start({
      messenger: {
        timeoutMs: 100,
        send: (_, __, signal) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve({ outcome: 'unknown', cause: 'stopped' }));
          }),
        find: async () => ({ outcome: 'absent' }),
      },
      options: { ...brisk, stopGraceMs: 50 },
    });
    await rig.story.raise('booking', 'e1');
    await rig.untilState('sending');
    await rig.stop(dispatcher);
    await expect(rig.story.untilDecided('dispatchFailed')).resolves.toMatchObject([
      { outcome: 'unknown', cause: 'stopped' },
    ]);
    await rig.untilState('unknown');
  });

  it('it waits for nothing where nothing is under way', async () => {
    rig.agent.sendFaults.push({ status: 429, headers: { 'retry-after': '3000' } });
    const dispatcher = rig.start({});
    await rig.story.raise('booking', 'e1');
    await rig.story.untilDecided('dispatchFailed');
    await rig.stop(dispatcher);
    await rig.untilState('ready');
  });
});
