// Runs `duewatch simulate` over a folder of vectors and compares with what each expects.
// Usage: node .ci/check-vectors.mjs FOLDER REPORT; the report has the two counts of jest's JSON.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';

const [folder, report] = process.argv.slice(2);
const vectors = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .sort()
  .map((name) => ({ path: join(folder, name), vector: JSON.parse(readFileSync(join(folder, name), 'utf8')) }));

/** What the command prints, or why it prints nothing. */
function simulate(...args) {
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', 'duewatch', '--', 'simulate', ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(`simulate ${args.join(' ')} exits with ${status}: ${stderr}`);
  return stdout;
}

let numPassedTests = 0;
let numFailedTests = 0;
function compare(what, actual, expected) {
  if (isDeepStrictEqual(actual, expected)) {
    numPassedTests += 1;
    return;
  }
  numFailedTests += 1;
  console.log(`${what}\n  expected ${JSON.stringify(expected)}\n  actual   ${JSON.stringify(actual)}`);
}

const scratch = mkdtempSync(join(tmpdir(), 'duewatch-vectors-'));
try {
  const bulk = join(scratch, 'vectors.ndjson');
  writeFileSync(bulk, vectors.map(({ vector }) => `${JSON.stringify(vector)}\n`).join(''));
  const lines = simulate(bulk).trimEnd().split('\n');
  compare('number of results', lines.length, vectors.length);
  vectors.forEach(({ path, vector }, index) => compare(path, JSON.parse(lines[index] ?? 'null'), vector.expected));
  // The single form reads the file as it is; a few of them show that both forms answer alike.
  for (const { path, vector } of vectors.filter((_, index) => index % 30 === 0)) {
    compare(`${path} alone`, JSON.parse(simulate('--json', path)), vector.expected);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`${numPassedTests} of ${numPassedTests + numFailedTests} as expected`);
writeFileSync(report, JSON.stringify({ numPassedTests, numFailedTests }));
process.exitCode = numFailedTests === 0 ? 0 : 1;
