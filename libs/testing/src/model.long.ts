// A million scenarios, or MODEL_COUNT of them under MODEL_SEED: `npm run test:model`. Prints how far it is, and ends with
// 1 at the first difference. A program of its own: in jest's modules it would take three times as long.
import { randomInt } from 'node:crypto';
import { simulate } from '#expectations';
import { describeDifference, findDifference } from './differential.ts';
import { judge } from './model/judge.ts';

const seed = Number(process.env['MODEL_SEED'] ?? randomInt(2 ** 31));
const count = Number(process.env['MODEL_COUNT'] ?? 1_000_000);

const difference = findDifference({
  model: judge,
  core: simulate,
  seed,
  count,
  onProgress: (doneCount) => {
    if (doneCount % 10_000 === 0) process.stdout.write(`seed ${seed}: ${doneCount} of ${count} scenarios agree\n`);
  },
});
if (difference === undefined) {
  process.stdout.write(`seed ${seed}: the core decides as the model does, ${count} scenarios\n`);
} else {
  process.stdout.write(`${describeDifference(difference)}\n`);
  process.exitCode = 1;
}
