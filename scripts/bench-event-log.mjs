// How many records a second the PostgreSQL log takes, durably, beside plain batched inserts of the same records in the
// same run. Usage: npm run -s build && node scripts/bench-event-log.mjs [SECONDS]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openPostgresEventLog } from '#event-log-postgres';
import { startEmbeddedPostgres, systemClock } from '#runtime';

const seconds = Number(process.argv[2] ?? 5);
const directory = await mkdtemp(join(tmpdir(), 'duewatch-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir: directory });
const log = await openPostgresEventLog({ databaseUrl: postgres.url(), partitionCount: 8, clock: systemClock });
const pool = new pg.Pool({ connectionString: postgres.url(), max: 10 });
await pool.query(
  'CREATE TABLE plain (id bigserial PRIMARY KEY, at timestamptz DEFAULT now(), tenant text, value bytea)',
);

const value = Buffer.from(JSON.stringify({ v: 1, input: { type: 'tick', padding: 'x'.repeat(260) } }));
const batchOf = (count) => Array.from({ length: count }, () => ({ tenant: 'default', value }));

/** Calls `append` from so many callers at once, each one call after the other, and prints what came of it. */
async function measure(name, callers, count, append) {
  const batch = batchOf(count);
  const latencies = [];
  const started = performance.now();
  const end = started + seconds * 1_000;
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      while (performance.now() < end) {
        const sent = performance.now();
        await append(batch, caller);
        latencies.push(performance.now() - sent);
      }
    }),
  );
  const perSecond = (latencies.length * count) / ((performance.now() - started) / 1_000);
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.floor(latencies.length * share)].toFixed(1);
  console.log(`${name.padEnd(48)} ${Math.round(perSecond)}/s  p50 ${at(0.5)} ms  p99 ${at(0.99)} ms`);
}

const insertPlain = (batch) =>
  pool.query({
    name: 'plain',
    text: 'INSERT INTO plain (tenant, value) SELECT * FROM unnest($1::text[], $2::bytea[])',
    values: [batch.map(({ tenant }) => tenant), batch.map((record) => record.value)],
  });
const appendTo = (partitionCount) => (batch, caller) => log.append(caller % partitionCount, batch);
const writer = await log.openWriter(0, 'bench');

await measure('log, batches of 500, 4 callers, 1 partition', 4, 500, appendTo(1));
await measure('log, batches of 500, 4 callers, 4 partitions', 4, 500, appendTo(4));
await measure('ledger writer, batches of 500', 1, 500, (batch) => writer.append(batch));
await measure('plain inserts, batches of 500, 4 callers', 4, 500, insertPlain);
await measure('log, single records, 32 callers, 1 partition', 32, 1, appendTo(1));
await measure('log, single records, 32 callers, 8 partitions', 32, 1, appendTo(8));
await measure('plain inserts, single records, 32 callers', 32, 1, insertPlain);

let offset = 0;
const started = performance.now();
for (;;) {
  const page = await log.read('inbox', 0, { from: offset, limit: 2_000 });
  if (page.length === 0 || performance.now() > started + seconds * 1_000) break;
  offset = page.at(-1).offset + 1;
}
console.log(`${'read, pages of 2,000'.padEnd(48)} ${Math.round(offset / ((performance.now() - started) / 1_000))}/s`);

await log.close();
await pool.end();
await postgres.stop();
await rm(directory, { recursive: true, force: true });
