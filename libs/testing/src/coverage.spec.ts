// Measures on the model alone which rules the drawn scenarios reach: each in at least one of a hundred.
import { refusalCodes, warningCodes } from '#expectations';
import { judge } from './model/judge.ts';
import { scenarioAt } from './scenario/scenarios.ts';
import type { Scenario } from './scenario/vector.ts';

const scenarioCount = 2000;

/** Everything of interest that happens in a scenario, each once. */
function reached(scenario: Scenario): Set<string> {
  const { records, lapses, warnings, suspended, happened } = judge(scenario);
  const names = new Set(happened);
  for (const code of warnings.flatMap((one) => one.warnings)) names.add(`warning:${code}`);
  const ids = records.map((one) => `${one.agentId} ${one.expectationId}`);
  if (new Set(ids).size < ids.length) names.add('an id used again');
  if (records.length >= 8) names.add('at least 8 expectations');
  if (records.some((one) => one.lineage > 1)) names.add('an extension extended');
  if (records.some((one) => one.late === true)) names.add('late');
  if (records.some((one) => one.reportedLate === true && one.late === false)) names.add('reported late only');
  if (suspended.length > 0) names.add('suspended at the end');
  if (lapses.some((one) => (one.lapse.satisfiedAfter?.length ?? 0) > 1)) names.add('a gap revealed by two');
  if (lapses.some((one) => one.lapse.lastFactAt !== undefined)) names.add('a last fact');
  if (scenario.inputs.some((one, index) => one.at < (scenario.inputs[index - 1]?.at ?? ''))) names.add('a clock back');
  return names;
}

const counts = new Map<string, number>();
for (let index = 0; index < scenarioCount; index += 1) {
  for (const name of reached(scenarioAt(20_260_905, index))) counts.set(name, (counts.get(name) ?? 0) + 1);
}

const inOneOfAHundred = [
  ...refusalCodes.map((code) => `refused:${code}`),
  ...['overdue', 'skipped', 'stalled'].map((kind) => `lapsed:${kind}`),
  ...['task_canceled', 'task_failed', 'task_rejected', 'superseded', 'agent', 'retired'].map(
    (cause) => `withdrawn:${cause}`,
  ),
  ...['fact', 'repeat', 'early', 'answer', 'state', 'at once'].map((how) => `satisfied:${how}`),
  ...warningCodes.map((code) => `warning:${code}`),
  ...['expectation', 'task', 'fact', 'fact over the maximum', 'refusal'].map((what) => `forgotten:${what}`),
  ...['suspended', 'released', 'reanchored', 'retired behind', 'skipped on recording', 'suspended at the end'],
  ...['repeated', 'refused again', 'fact repeated', 'fact refused', 'status stale', 'a clock back'],
  ...[
    'an id used again',
    'an extension extended',
    'late',
    'reported late only',
    'a last fact',
    'a gap revealed by two',
  ],
];

it.each(inOneOfAHundred)('at least one scenario of a hundred has: %s', (name) => {
  expect(counts.get(name) ?? 0).toBeGreaterThanOrEqual(scenarioCount / 100);
});

it('most scenarios have at least 8 expectations', () => {
  expect(counts.get('at least 8 expectations') ?? 0).toBeGreaterThan(scenarioCount / 2);
});
