// That the bench runs, on small sizes: how fast it is, is for a person to read.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const repository = join(import.meta.dirname, '..');

it('goes through its phases, and prints a figure for each and its goal', async () => {
  const run = await promisify(execFile)(process.execPath, ['dist/bench/embedded.js'], {
    cwd: repository,
    env: { ...process.env, BENCH_SCALE: '0.005', BENCH_ONLY: 'limits,expectations,restart,facts,single' },
  });
  const lines = run.stdout.split('\n');
  for (const [what, reached] of [
    ['a flush of the disk \\(fdatasync\\), p50', '[\\d.]+ ms'],
    ['plain inserts: 500 of 200 B, 4 connections', '[\\d,]+/s'],
    ['expectations, 500 a body, 3 an artifact', '[\\d,]+/s +≥ 15,000/s'],
    ['restart after kill -9 with 4,000 open', '[\\d.]+ s +≤ 1.00 s'],
    ['facts that satisfy, 500 a body', '[\\d,]+/s +≥ 30,000/s'],
    ['facts, one a body', '[\\d,]+/s +≥ 5,000/s'],
  ]) {
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${what} +${reached}`)));
  }
});

it('refuses a phase that is none', async () => {
  const run = promisify(execFile)(process.execPath, ['dist/bench/embedded.js'], {
    cwd: repository,
    env: { ...process.env, BENCH_ONLY: 'speed' },
  });
  await expect(run).rejects.toThrow('BENCH_ONLY must name some of limits, expectations');
});
