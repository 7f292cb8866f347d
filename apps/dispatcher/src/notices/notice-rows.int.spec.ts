// Whose a partition's notices are, and that they are written with the position alone.
import type { DataSource, EntityManager } from 'typeorm';
import { createDatabase, expectationLapsed, type TestDatabase } from '#testing';
import { openDispatchDatabase } from '../outbox/dispatch-database.ts';
import { toChange } from '../outbox/ledger-change.ts';
import { Outbox } from '../outbox/outbox.ts';
import { OutboxFencedError, RunWrittenError } from '../outbox/partition-ownership.ts';
import { isWorldFault } from '#runtime';
import { noticedOf } from './notice.ts';
import { NoticeRows } from './notice-rows.ts';

const partition = 7;
const now = new Date('2026-09-02T00:00:00Z');
const lapsed = expectationLapsed();
const changes = [toChange('acme', lapsed, { ledgerOffset: 0, eventIndex: 0 }) ?? []].flat();
const group = {
  ...{ tenant: 'acme', sinkId: 'ops', groupKey: 'k', agentId: 'booking', kind: 'departure', moreCount: 0, dueAt: now },
  ...{ lapses: [noticedOf(lapsed)], isAlerting: false },
};
const gathered = { groups: [group], closings: [] };

let server: TestDatabase;
let database: DataSource;
let outbox: Outbox;
let rows: NoticeRows;

beforeAll(async () => {
  server = await createDatabase();
  database = await openDispatchDatabase(server.url);
});
afterAll(async () => {
  await database.destroy();
  await server.drop();
});
beforeEach(async () => {
  await database.query(
    'TRUNCATE duewatch_dispatch.ledger_position, duewatch_dispatch.outbox, duewatch_dispatch.notice',
  );
  outbox = new Outbox(database, partition);
  await outbox.takeOver();
  rows = new NoticeRows(database, partition, outbox.ownership);
});

const write = (manager: EntityManager): Promise<void> => rows.add(manager, gathered, now);

async function written(): Promise<object> {
  const lapses = await database.query<{ count: number }[]>(
    'SELECT coalesce(sum(cardinality(lapses)), 0)::int AS count FROM duewatch_dispatch.notice',
  );
  const submitted = await database.query<unknown[]>('SELECT FROM duewatch_dispatch.outbox');
  const { nextOffset } = await outbox.ownership.followed();
  return { announced: lapses[0]?.count, submitted: submitted.length, nextOffset };
}

it('whoever has lost the partition changes no notice, and is told so', async () => {
  await outbox.follow([], 5, now);
  const next = new Outbox(database, partition);
  await next.takeOver();
  await expect(outbox.follow([], 8, now, { from: 5, write })).rejects.toThrow(OutboxFencedError);
  await expect(rows.seal('1', now)).rejects.toThrow(OutboxFencedError);
  await expect(rows.postpone('1', now)).rejects.toThrow(OutboxFencedError);
  await expect(rows.remove('1')).rejects.toThrow(OutboxFencedError);
  await expect(written()).resolves.toEqual({ announced: 0, submitted: 0, nextOffset: 5 });
});

it('what lapsed is written for its agent and for people together, or not at all', async () => {
  const failing = async (manager: EntityManager): Promise<void> => {
    await write(manager);
    throw new Error('the connection is lost');
  };
  await expect(outbox.follow(changes, 5, now, { from: 0, write: failing })).rejects.toThrow('lost');
  await expect(written()).resolves.toEqual({ announced: 0, submitted: 0, nextOffset: 0 });
  await outbox.follow(changes, 5, now, { from: 0, write });
  await expect(written()).resolves.toEqual({ announced: 1, submitted: 1, nextOffset: 5 });
});

it('a run whose commit nobody heard of is not announced again, however it is read', async () => {
  await outbox.follow(changes, 5, now, { from: 0, write });
  const again = outbox.follow(changes, 8, now, { from: 0, write });
  await expect(again).rejects.toThrow(RunWrittenError);
  await expect(again.catch(isWorldFault)).resolves.toBe(true);
  await expect(written()).resolves.toEqual({ announced: 1, submitted: 1, nextOffset: 5 });
});
