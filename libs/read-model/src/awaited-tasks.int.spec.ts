// Which tasks stand in the list of those to be followed, as the ledger goes on.
import type { DataSource } from 'typeorm';
import { type LedgerEvent, MemoryEventLog } from '#event-log';
import { systemClock } from '#runtime';
import {
  createDatabase,
  dispatchAcknowledged,
  expectationLapsed,
  expectationRecorded,
  expectationSatisfied,
  expectationWithdrawn,
  LedgerScript,
  statusApplied,
  t,
  type TestDatabase,
} from '#testing';
import { AwaitedTasks, FIRST_TASK } from './awaited-tasks.ts';
import { foldedOffset, foldLedger } from './fold-ledger.ts';
import { LedgerReader } from './ledger-reader.ts';
import { AwaitedTasks1797000002000 } from './migrations/awaited-tasks.migration.ts';
import { openReadModel } from './read-model.ts';
import { rebuildReadModel } from './rebuild.ts';

let database: TestDatabase;
let readModel: DataSource;
let log: MemoryEventLog;
let script: LedgerScript;

beforeAll(async () => {
  database = await createDatabase();
  readModel = await openReadModel(database.url);
});
afterAll(async () => {
  await readModel.destroy();
  await database.drop();
});
beforeEach(async () => {
  log = new MemoryEventLog({ clock: systemClock, partitionCount: 1 });
  script = new LedgerScript(log);
  await rebuildReadModel(readModel, log);
});
afterEach(() => log.close());

/** Each list a record: folded one after the other, and then all at once, which must not differ. */
async function awaited(...records: readonly (readonly LedgerEvent[])[]): Promise<readonly string[]> {
  for (const events of records) {
    await script.decided('acme', ...events);
    const run = await new LedgerReader(log, 0).next(await foldedOffset(readModel, 0));
    await foldLedger(readModel, run);
  }
  const oneByOne = await listed();
  await rebuildReadModel(readModel, log);
  expect(await listed()).toEqual(oneByOne);
  return oneByOne;
}

async function listed(): Promise<readonly string[]> {
  const page = await new AwaitedTasks(readModel).page('acme', FIRST_TASK, 100);
  return page.map(({ taskId }) => taskId).sort();
}

const raised = expectationRecorded({ expectationId: 'e1', taskId: 'task-1' });

it('a task that raised what is open is awaited, with what is known of it', async () => {
  await script.decided('acme', raised, expectationRecorded({ expectationId: 'e2', taskId: 'task-1' }));
  await script.decided(
    'acme',
    statusApplied({ taskId: 'task-1', state: 'TASK_STATE_WORKING', at: t(3), statusAt: t(2) }),
  );
  await rebuildReadModel(readModel, log);
  const tasks = new AwaitedTasks(readModel);
  expect(await tasks.tenants()).toEqual(['acme']);
  expect(await tasks.page('acme', FIRST_TASK, 100)).toEqual([
    {
      taskHash: expect.any(String),
      ledgerOffset: 0,
      agentId: raised.agentId,
      taskId: 'task-1',
      state: 'TASK_STATE_WORKING',
      statusAtMs: Date.parse(t(2)),
      seenAtMs: Date.parse(t(3)),
    },
  ]);
});

it('it is not once what it raised is closed, however', async () => {
  expect(await awaited([raised], [expectationSatisfied({ expectationId: 'e1' })])).toEqual([]);
  expect(await awaited([raised], [expectationWithdrawn({ expectationId: 'e1' })])).toEqual([]);
});

it('it is while anything of it is open', async () => {
  const both = [raised, expectationRecorded({ expectationId: 'e2', taskId: 'task-1' })] as const;
  expect(await awaited([...both], [expectationSatisfied({ expectationId: 'e1' })])).toEqual(['task-1']);
});

it.each(['COMPLETED', 'CANCELED', 'FAILED', 'REJECTED'])('it is not once it is %s, before or after', async (state) => {
  const over = statusApplied({ taskId: 'task-1', state: `TASK_STATE_${state}` });
  expect(await awaited([raised], [over])).toEqual([]);
  expect(await awaited([over], [expectationRecorded({ expectationId: 'e3', taskId: 'task-1' })])).toEqual([]);
  expect(await awaited([over, expectationRecorded({ expectationId: 'e4', taskId: 'task-1' })])).toEqual([]);
});

it('the task that an open question is about is awaited, whoever raised it', async () => {
  const question = expectationRecorded({
    expectationId: 'q2',
    taskId: 'lapse-task',
    question: true,
    content: { subject: { type: 'task', id: 'asking-task' } },
  });
  expect(await awaited([question])).toEqual(['asking-task', 'lapse-task']);
  expect(await awaited([expectationSatisfied({ expectationId: 'q2' })])).toEqual([]);
});

it('a task that a lapse was submitted as is awaited until it is over', async () => {
  const sent = dispatchAcknowledged({ expectationId: 'e1', taskId: 'lapse-task' });
  const lapsed = expectationLapsed({ expectationId: 'e1' });
  expect(await awaited([raised, lapsed], [sent])).toContain('lapse-task');
  expect(await awaited([expectationSatisfied({ expectationId: 'e1' })])).toEqual(['lapse-task']);
  expect(await awaited([statusApplied({ taskId: 'lapse-task', state: 'TASK_STATE_COMPLETED' })])).toEqual([]);
});

it('a task is of its tenant, and pages go on where they ended', async () => {
  await script.decided('globex', raised);
  const many = Array.from({ length: 5 }, (_, index) => `task-${index}`);
  for (const taskId of many) await script.decided('acme', expectationRecorded({ expectationId: taskId, taskId }));
  await rebuildReadModel(readModel, log);
  const tasks = new AwaitedTasks(readModel);
  expect(await tasks.tenants()).toEqual(['acme', 'globex']);
  const first = await tasks.page('acme', FIRST_TASK, 3);
  const second = await tasks.page('acme', first.at(-1)?.taskHash ?? '', 3);
  expect([...first, ...second].map(({ taskId }) => taskId).sort()).toEqual(many);
  const newest = await tasks.newest('acme');
  expect(await tasks.since('acme', newest, 3)).toEqual([]);
  const before = await tasks.since('acme', newest - 2, 3);
  expect(before.map(({ taskId }) => taskId)).toEqual(['task-3', 'task-4']);
  expect(await tasks.newest('nobody')).toBe(-1);
});

it('a database from before is filled with what the fold would have made of it', async () => {
  const odd = expectationRecorded({
    expectationId: 'é\0\\',
    taskId: 'odd\0\\\ud800é',
    question: true,
    content: { subject: { type: 'task', id: 'über' } },
  });
  await script.decided('acme', raised, odd, expectationRecorded({ expectationId: 'e9', taskId: 'over' }));
  await script.decided(
    'acme',
    expectationLapsed({ expectationId: 'e1' }),
    dispatchAcknowledged({ expectationId: 'e1', taskId: 'sent' }),
  );
  await script.decided('acme', statusApplied({ taskId: 'over', state: 'TASK_STATE_COMPLETED' }));
  await rebuildReadModel(readModel, log);
  const rows = () => readModel.query('SELECT * FROM duewatch_read.awaited_task ORDER BY task_hash, awaited_for');
  const folded: unknown = await rows();
  expect(folded).toHaveLength(4);
  const runner = readModel.createQueryRunner();
  const migration = new AwaitedTasks1797000002000();
  await migration.down(runner);
  await migration.up(runner);
  await runner.release();
  expect(await rows()).toEqual(folded);
});
