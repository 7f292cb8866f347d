// Stopped before a deadline and started after it: what the log held in time counts, however late it is decided.
import type { AnyWatcher } from './any-watcher.ts';
import { ListeningAgent } from './listening-agent.ts';
import { taskOf } from './tasks.ts';
import { until } from './watcher.ts';

/** Long enough for a busy machine to be told of a departure before the deadline. */
const dueInMs = 8_000;

export interface Interrupted {
  readonly watcher: AnyWatcher;
  /** Has a fact told that comes into the log and is not decided: deciding stops. Resolves to when the log had it. */
  tellUndecided(fact: object): Promise<number>;
  /** Starts deciding again. */
  goOn(): Promise<void>;
}

export function describeStoppedOverADeadline(create: () => Promise<Interrupted>): void {
  let interrupted: Interrupted;
  let watcher: AnyWatcher;
  let agent: ListeningAgent;

  beforeAll(async () => {
    interrupted = await create();
    ({ watcher } = interrupted);
    agent = await ListeningAgent.start();
    await watcher.start();
    await watcher.call('PUT', '/v1/agents/flights', { cardUrl: agent.cardUrl });
  });

  afterAll(async () => {
    await watcher.remove();
    await agent.stop();
  });

  const tell = (factKey: string, observedAt: string): Promise<unknown> =>
    watcher.call('POST', '/v1/facts', { factKey, observedAt });

  const shown = (id: string): Promise<unknown> => watcher.call('GET', `/v1/expectations/flights/${id}`);

  it('is satisfied by a fact that the log had in time; another, told later, lapses first', async () => {
    const dueAt = Date.now() + dueInMs;
    const due = new Date(dueAt).toISOString();
    await watcher.call('POST', '/v1/observations', {
      agentId: 'flights',
      task: taskOf(['in-time', 'told-late', 'never'], due),
    });
    const observedAt = new Date().toISOString();
    expect(await interrupted.tellUndecided({ factKey: 'in-time', observedAt })).toBeLessThan(dueAt);
    await until(async () => Date.now() > dueAt);
    await interrupted.goOn();
    await until(async () => JSON.stringify(await shown('never')).includes('overdue'));
    await tell('told-late', observedAt);

    await until(async () => JSON.stringify(await shown('told-late')).includes('satisfiedAt'));
    expect(await shown('in-time')).toMatchObject({ status: 'satisfied', late: false, reportedLate: false, lapses: [] });
    expect(await shown('told-late')).toMatchObject({
      status: 'satisfied',
      late: false,
      reportedLate: true,
      lapses: [{ lapse: 'overdue' }],
    });
    expect(await shown('never')).toMatchObject({ status: 'open', lapses: [{ lapse: 'overdue' }] });
    await until(async () => (await agent.received()).some((messageId) => messageId.includes('never')));
    expect((await agent.received()).filter((messageId) => messageId.includes('in-time'))).toEqual([]);
    expect(await tell('in-time', observedAt)).toMatchObject({ results: [{ outcome: 'repeated' }] });
  });
}
