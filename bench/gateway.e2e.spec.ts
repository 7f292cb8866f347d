// That the bench runs, for a short while: how fast it is, is for a person to read.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const repository = join(import.meta.dirname, '..');

it('prints what the gateway adds, and its goals', async () => {
  const run = await promisify(execFile)(process.execPath, ['dist/bench/gateway.js'], {
    cwd: repository,
    env: { ...process.env, BENCH_SCALE: '0.05' },
  });
  const lines = run.stdout.split('\n');
  expect(lines).toContainEqual(
    expect.stringMatching(/^a message, nothing in it for the log, p99 +-?[\d.]+ ms +≤ 5\.0 ms/),
  );
  expect(lines).toContainEqual(expect.stringMatching(/^a task with a block, to the log, p99 +-?[\d.]+ ms +≤ 30\.0 ms/));
});
