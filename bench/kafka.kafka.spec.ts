// That the bench on Kafka runs, on small sizes: how fast it is, is for a person to read.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

it('goes through its phases, and prints a figure for each and its goal', async () => {
  const run = await promisify(execFile)(process.execPath, ['dist/bench/kafka.js'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...process.env, BENCH_SCALE: '0.01' },
  });
  const lines = run.stdout.split('\n');
  for (const [what, reached] of [
    ['raw loop of the client, 2000 a transaction', '[\\d,]+/s'],
    ['expectations by HTTP, 500 a body', '[\\d,]+/s +≥ 16,000/s'],
    ['timekeeper, inbox to ledger, facts', '[\\d,]+/s +≥ [\\d,]+/s'],
    ['projector, ledger to PostgreSQL, events', '[\\d,]+/s +≥ 20,000/s'],
    ['lateness p99', '[\\d.]+ ms +≤ 100.0 ms'],
    ['a herd of 500: all of it in the ledger', '[\\d.]+ s +≤ 1.60 s'],
    ['catch-up after 10 minutes at 500 facts/s', '[\\d.]+ s'],
    ['deciding again with 10,000 open, from its start', '[\\d.]+ s +≤ 15.00 s'],
  ]) {
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${what} +${reached}`)));
  }
});
