// Killed before a deadline and started after it: what the log held in time counts, however late it is decided.
import { Hold } from './hold.ts';
import { ListeningAgent } from './listening-agent.ts';
import { taskOf } from './tasks.ts';
import { until, Watcher } from './watcher.ts';

/** Long enough for a busy machine to be told of a departure before the deadline. */
const dueInMs = 8_000;

let watcher: Watcher;
let agent: ListeningAgent;

beforeAll(async () => {
  watcher = await Watcher.create();
  agent = await ListeningAgent.start();
  await watcher.start();
  await watcher.call('PUT', '/v1/agents/flights', { cardUrl: agent.cardUrl });
}, 120_000);

afterAll(async () => {
  await watcher.remove();
  await agent.stop();
}, 120_000);

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
  const hold = await Hold.connect(watcher);
  const observedAt = new Date().toISOString();
  const [unanswered] = await Promise.all([
    tell('in-time', observedAt).catch((error: unknown) => error),
    hold.afterAppend().then(() => watcher.kill()),
  ]);
  expect(String(unanswered)).toContain('fetch failed');
  const { rows } = await hold.client.query<{ isBefore: boolean }>(
    `SELECT appended_at < $1 AS "isBefore" FROM duewatch_log.inbox
     WHERE convert_from(value, 'UTF8') LIKE '%"factKey":"in-time"%' AND convert_from(value, 'UTF8') LIKE '%factsReported%'`,
    [dueAt],
  );
  expect(rows).toEqual([{ isBefore: true }]);
  await hold.release();
  await until(async () => Date.now() > dueAt);
  await watcher.start();
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
}, 120_000);
