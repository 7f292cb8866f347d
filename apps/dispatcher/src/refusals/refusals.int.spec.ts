import { jest } from '@jest/globals';
import type { RefusalTellingEnded } from '#event-log';
import { type AgentMessenger, REFUSALS_KEY, SdkMessenger } from '#protocol';
import { systemClock } from '#runtime';
import { DispatchRig, FakeAgent, loopbackOutbound, unheard, until } from '#testing';
import { Dispatcher } from '../dispatcher.ts';
import { openDispatchDatabase } from '../outbox/dispatch-database.ts';

const sdk = new SdkMessenger({ outbound: loopbackOutbound(), now: () => systemClock.now() });

const rig = new DispatchRig<AgentMessenger>(openDispatchDatabase, ({ story, database, targets }, messenger) => {
  const directory = { find: async (_: string, agentId: string) => targets.get(agentId) };
  const random = { fraction: () => 0.5 };
  const options = { backoff: { baseMs: 20, capMs: 200 }, refusalsPerMinute: 60_000, stopGraceMs: 0 };
  return new Dispatcher(story.log, database, directory, messenger, systemClock, random, undefined, options);
});

beforeAll(() => {
  // The SDK's server warns of every reference to a task that it does not know.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  return rig.open();
});
afterAll(() => rig.close());
beforeEach(() => rig.begin());
afterEach(() => rig.end());

/** The agent raises what is refused: of a kind that its card does not declare. */
function raiseWrong(expectationId: string, of: { taskId?: string; contextId?: string } = {}): Promise<void> {
  const content = {
    ...{ expectationId, kind: 'teleport', subject: { type: 'flight', id: expectationId }, expects: 'it departs' },
    ...{ satisfiedBy: { factKey: expectationId }, dueAt: '2026-01-01T00:00:00Z', basis: 'observed' },
  };
  const metadata = { 'https://rsaxb.com/a2a/expectations/v1': { expectations: [content] } };
  const artifact = { artifactId: expectationId, metadata };
  const { taskId = 'task-booking', contextId = 'context-booking' } = of;
  return rig.story.tell({ type: 'artifactObserved', agentId: 'booking', taskId, contextId, artifact });
}

const endings = (count = 1): Promise<RefusalTellingEnded[]> => rig.story.untilDecided('refusalTellingEnded', count);

/** Nothing more is to come of what was raised by now: what is raised here waits behind it, and is told. */
async function tellAnother(count: number): Promise<RefusalTellingEnded[]> {
  await raiseWrong('another', { contextId: 'context-other', taskId: 'task-other' });
  return endings(count);
}

const untilNone = (): Promise<void> =>
  until(async () => (await rig.database.query<unknown[]>('SELECT 1 FROM duewatch_dispatch.refusal')).length === 0);

const toldIds = (): (string | null)[][] =>
  rig.agent.received.map(({ metadata }) =>
    (metadata?.[REFUSALS_KEY] as { expectationId: string | null }[]).map(({ expectationId }) => expectationId),
  );

describe('an agent whose expectation is refused', () => {
  it('is told so once, in the context, by a message that activates nothing, and the ledger says it', async () => {
    rig.start(sdk);
    await raiseWrong('e1');
    const [ended] = await endings();
    const [refused] = await rig.story.decided('expectationRefused');
    expect(ended).toMatchObject({ agentId: 'booking', outcome: 'told', taskId: expect.any(String) });
    expect(rig.agent.received).toMatchObject([
      {
        messageId: expect.stringMatching(/^refusals:/),
        contextId: 'context-booking',
        referenceTaskIds: ['task-booking'],
        parts: [{ content: { value: expect.stringContaining(refused?.message ?? '') } }],
        metadata: { [REFUSALS_KEY]: [{ taskId: 'task-booking', expectationId: 'e1', code: 'undeclared_kind' }] },
      },
    ]);
    expect(rig.agent.sends[0]?.headers['a2a-extensions']).toBeUndefined();
    await untilNone();
  });

  it('is not told again of the same', async () => {
    rig.start(sdk);
    await raiseWrong('e1');
    await endings();
    await raiseWrong('e1');
    await tellAnother(2);
    expect(toldIds()).toEqual([['e1'], ['another']]);
  });

  it('is told of all that one context has waiting in one message', async () => {
    for (const id of ['e1', 'e2', 'e3']) await raiseWrong(id);
    rig.start(sdk);
    await endings();
    expect(toldIds()).toEqual([['e1', 'e2', 'e3']]);
  });

  it('is told once it can be reached again', async () => {
    rig.agent.sendFaults.push({ status: 429 }, { status: 429 });
    rig.start(sdk);
    await raiseWrong('e1');
    await expect(endings()).resolves.toMatchObject([{ outcome: 'told' }]);
    expect(rig.agent.sends).toHaveLength(3);
    expect(toldIds()).toEqual([['e1']]);
  });

  it('is not asked a second time where it refuses to be told', async () => {
    rig.agent.sendFaults.push({ status: 400, body: 'no' });
    rig.start(sdk);
    await raiseWrong('e1');
    await expect(endings()).resolves.toMatchObject([{ outcome: 'dropped', cause: expect.stringContaining('400') }]);
    expect(rig.agent.sends).toHaveLength(1);
  });

  it('or is not registered is not told', async () => {
    rig.targets.delete('booking');
    rig.start(sdk);
    await raiseWrong('e1');
    await expect(endings()).resolves.toMatchObject([{ outcome: 'dropped', cause: 'the agent is not registered' }]);
  });

  it('is told after a pause of its dispatch, and not during it', async () => {
    rig.start(sdk);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const pause = { pauseId: 'p1', scope: { agentId: 'booking' }, reason: 'maintenance', until, by: 'olga' };
    await rig.story.tell({ type: 'dispatchPauseRequested', ...pause });
    await raiseWrong('e1');
    const other = await FakeAgent.start();
    rig.targets.set('self', { card: other.card });
    await rig.story.tell({ type: 'artifactObserved', agentId: 'self', taskId: 't', contextId: 'c', artifact: wrong });
    await endings();
    expect(rig.agent.received).toEqual([]);
    await rig.story.tell({ type: 'dispatchPauseEndRequested', pauseId: 'p1', by: 'olga' });
    await endings(2);
    expect(toldIds()).toEqual([['e1']]);
    await other.stop();
  });
});

const wrong = {
  artifactId: 'a',
  metadata: { 'https://rsaxb.com/a2a/expectations/v1': { expectations: [{ expectationId: 'wrong' }] } },
};

describe('it does not go round', () => {
  it('where the agent raises more that is wrong in answer', async () => {
    rig.start(sdk);
    await raiseWrong('e1');
    const [told] = await endings();
    await raiseWrong('e2', { taskId: told?.taskId ?? '' });
    const all = await endings(2);
    expect(all[1]).toMatchObject({ outcome: 'dropped', cause: expect.stringContaining('in answer') });
    expect(toldIds()).toEqual([['e1']]);
  });

  it('where the agent has put the task that it made into a context of its own', async () => {
    rig.start(sdk);
    await raiseWrong('e1');
    const [told] = await endings();
    await raiseWrong('e2', { taskId: told?.taskId ?? '', contextId: 'context-of-its-own' });
    const all = await endings(2);
    expect(all[1]).toMatchObject({ outcome: 'dropped', cause: expect.stringContaining('in answer') });
    expect(toldIds()).toEqual([['e1']]);
  });

  it('where it goes on in other tasks of the context', async () => {
    rig.start(sdk);
    for (let nth = 1; nth <= 6; nth += 1) {
      await raiseWrong(`e${nth}`, { taskId: `task-${nth}` });
      await endings(nth);
    }
    const all = await endings(6);
    expect(all.map(({ outcome }) => outcome)).toEqual([...Array.from({ length: 5 }, () => 'told'), 'dropped']);
    expect(all.at(-1)?.cause).toContain('enough');
    expect(rig.agent.received).toHaveLength(5);
  });

  it('where nobody knows whether it was told: neither it nor what follows in the context is', async () => {
    rig.agent.sendFaults.push({ status: 502 });
    rig.start(sdk);
    await raiseWrong('e1');
    await expect(endings()).resolves.toMatchObject([{ outcome: 'unknown' }]);
    await raiseWrong('e2', { taskId: 'task-2' });
    const all = await endings(2);
    expect(all[1]).toMatchObject({ outcome: 'dropped' });
    expect(rig.agent.sends).toHaveLength(1);
  });
});

describe('after a crash', () => {
  const crashing = unheard(sdk);

  it('in the middle of telling, it is not told again, and the ledger says that it may have been', async () => {
    const first = rig.start(crashing);
    await raiseWrong('e1');
    await until(() => rig.agent.received.length === 1);
    rig.crash(first);
    rig.start(sdk);
    await expect(endings()).resolves.toMatchObject([{ outcome: 'unknown' }]);
    expect(rig.agent.sends).toHaveLength(1);
  });

  it('that cost the tables, what was told is not told again, and what was not is', async () => {
    const first = rig.start(sdk);
    await raiseWrong('e1');
    await endings();
    await rig.stop(first);
    await raiseWrong('e2', { contextId: 'context-2' });
    await rig.loseTables();
    rig.start(sdk);
    await endings(2);
    expect(toldIds()).toEqual([['e1'], ['e2']]);
  });
});
