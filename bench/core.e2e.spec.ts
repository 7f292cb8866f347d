// That the bench runs, on small sizes: how fast it is, is for a person to read.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const repository = join(import.meta.dirname, '..');

it('goes through all its phases, and prints a figure for each and what bare maps do', async () => {
  const run = promisify(execFile)(process.execPath, ['--expose-gc', 'dist/bench/core.js', '--quick'], {
    cwd: repository,
  });
  const lines = (await run).stdout.split('\n').map((line) => line.trim());
  for (const what of ['expectations recorded', 'facts that match nothing', 'facts that satisfy']) {
    expect(lines).toContainEqual(
      expect.stringMatching(new RegExp(`^${what} +[\\d,]+/s +[\\d,]+/s +[\\d,]+/s +\\d+\\.\\d\\d$`)),
    );
  }
  for (const what of ['RSS an open expectation', 'a closed one, id aside', 'a remembered fact']) {
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${what} +-?[\\d,]+ B`)));
  }
  for (const what of ['snapshot of all', 'restored from it', 'deadlines at one instant']) {
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${what} +[\\d.]+ s`)));
  }
});
