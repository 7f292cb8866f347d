// Prints `N passed, N failed` over all suites of a run. Usage: node .ci/sum.mjs REPORTS
// REPORTS/stages has a line `kind name exitcode` a stage; a suite's jest JSON is REPORTS/name.json.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [reports] = process.argv.slice(2);
let passed = 0;
let failed = 0;
let skipped = 0;
for (const line of readFileSync(join(reports, 'stages'), 'utf8').trim().split('\n')) {
  const [kind, name, code] = line.split(' ');
  const file = join(reports, `${name}.json`);
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, numRuntimeErrorTestSuites = 0 } = report;
  const broken = numFailedTests + numRuntimeErrorTestSuites;
  const isAbsent = kind === 'suite' && numPassedTests === 0;
  passed += numPassedTests;
  skipped += numPendingTests;
  // What failed without a failed test to show for it counts as one.
  failed += broken === 0 && (code !== '0' || isAbsent) ? 1 : broken;
}
if (skipped > 0) console.log(`${skipped} skipped`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
