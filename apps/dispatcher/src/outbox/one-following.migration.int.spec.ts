// What two followings of one ledger had read, as one: nothing of it is announced or submitted twice, and nothing never.
import type { DataSource } from 'typeorm';
import { openOwnSchema } from '#runtime';
import { createDatabase, type TestDatabase } from '#testing';
import { Notices1799000000000 } from '../notices/notices.migration.ts';
import { AbandonedAttempt1798000000000 } from './abandoned-attempt.migration.ts';
import { DispatchTables1790000000000 } from './dispatch-tables.migration.ts';
import { Holds1797000000000 } from './holds.migration.ts';
import { LedgerPosition } from './ledger-position.entity.ts';
import { OneFollowing1799000001000 } from './one-following.migration.ts';
import { PartitionOwner1790000001000 } from './partition-owner.migration.ts';
import { PartitionOwnership } from './partition-ownership.ts';

const since = '2026-09-01T00:00:00.000Z';
const before = [
  ...[DispatchTables1790000000000, PartitionOwner1790000001000, Holds1797000000000],
  ...[AbandonedAttempt1798000000000, Notices1799000000000],
];
const [behind, ahead, never] = [1, 2, 3];

let server: TestDatabase;
let database: DataSource;

beforeAll(async () => {
  server = await createDatabase();
  const old = await openSchema(before);
  await old.query(
    `INSERT INTO duewatch_dispatch.ledger_position (partition, next_offset, owner) VALUES (1, 10, 4), (2, 5, 4), (3, 7, 4)`,
  );
  await old.query(
    `INSERT INTO duewatch_dispatch.notice_position (partition, next_offset, since) VALUES (1, 3, $1), (2, 9, $1)`,
    [since],
  );
  await old.destroy();
  database = await openSchema([...before, OneFollowing1799000001000]);
});
afterAll(async () => {
  await database.destroy();
  await server.drop();
});

function openSchema(migrations: NonNullable<Parameters<typeof openOwnSchema>[0]['migrations']>): Promise<DataSource> {
  const own = { schema: 'duewatch_dispatch' as const, migrationLock: 1, poolSize: 2, entities: [LedgerPosition] };
  return openOwnSchema({ databaseUrl: server.url, ...own, migrations });
}

const followed = (partition: number) => new PartitionOwnership(database, partition).followed();

it('is read on from the one that was behind, without what the other has', async () => {
  const at = new Date(since);
  await expect(followed(behind)).resolves.toEqual({ nextOffset: 3, outboxFrom: 10, noticesFrom: 3, since: at });
  await expect(followed(ahead)).resolves.toEqual({ nextOffset: 5, outboxFrom: 5, noticesFrom: 9, since: at });
});

it('is announced from here on where nobody was ever told', async () => {
  await expect(followed(never)).resolves.toMatchObject({ nextOffset: 7, outboxFrom: 7, noticesFrom: 7 });
});

it('is taken from a dispatcher of before, which can take nothing over either', async () => {
  const owners = await database.query<{ owner: string }[]>(
    'SELECT DISTINCT owner FROM duewatch_dispatch.ledger_position',
  );
  expect(owners).toEqual([{ owner: '5' }]);
  const takingOver = database.query(
    `INSERT INTO duewatch_dispatch.ledger_position AS own (partition, next_offset, owner) VALUES (1, 0, 1)
     ON CONFLICT (partition) DO UPDATE SET owner = own.owner + 1 RETURNING owner`,
  );
  await expect(takingOver).rejects.toMatchObject({ code: '23502' });
});

it('can be followed apart again', async () => {
  await new PartitionOwnership(database, never).takeOver(new Date(since));
  await database.undoLastMigration();
  const positions = await database.query<unknown[]>(
    `SELECT partition, outbox.next_offset AS outbox, told.next_offset AS notices
     FROM duewatch_dispatch.ledger_position AS outbox JOIN duewatch_dispatch.notice_position AS told USING (partition)
     ORDER BY partition`,
  );
  expect(positions).toEqual([
    { partition: 1, outbox: '10', notices: '3' },
    { partition: 2, outbox: '5', notices: '9' },
    { partition: 3, outbox: '7', notices: '7' },
  ]);
});
