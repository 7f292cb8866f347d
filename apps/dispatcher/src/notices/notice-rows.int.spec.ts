// Whose a partition's notices are.
import type { DataSource } from 'typeorm';
import { createDatabase, type TestDatabase } from '#testing';
import { openDispatchDatabase } from '../outbox/dispatch-database.ts';
import { Outbox, OutboxFencedError } from '../outbox/outbox.ts';
import { NoticeRows } from './notice-rows.ts';

let server: TestDatabase;
let database: DataSource;

beforeAll(async () => {
  server = await createDatabase();
  database = await openDispatchDatabase(server.url);
});
afterAll(async () => {
  await database.destroy();
  await server.drop();
});

it('whoever has lost the partition changes no notice, and is told so', async () => {
  const partition = 7;
  const outbox = new Outbox(database, partition);
  await outbox.takeOver();
  const rows = new NoticeRows(database, partition, outbox);
  const now = new Date('2026-09-02T00:00:00Z');
  await rows.begin(now);
  await rows.follow([], 5, now);
  const next = new Outbox(database, partition);
  await next.takeOver();
  await expect(rows.follow([], 3, now)).rejects.toThrow(OutboxFencedError);
  await expect(rows.seal('1')).rejects.toThrow(OutboxFencedError);
  await expect(rows.postpone('1', now)).rejects.toThrow(OutboxFencedError);
  await expect(rows.remove('1')).rejects.toThrow(OutboxFencedError);
  const { nextOffset } = await new NoticeRows(database, partition, next).begin(now);
  expect(nextOffset).toBe(5);
});
