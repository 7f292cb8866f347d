// Short stories: steps in a row whose point is rarely met by chance.
import fc from 'fast-check';
import { carrying } from './block.ts';
import { inPercent, weighted } from './draw.ts';
import { jitterMs, onGrid } from './grid.ts';
import { contextIds, states } from './pool.ts';
import { questionOf } from './question.ts';
import type { Step } from './step.ts';

/** A step, how many hours it comes after the one before, and some milliseconds. */
export interface TimedStep {
  readonly pause: number;
  readonly ms: number;
  readonly step: Step;
}

const agentId = 'booking';
const waits = weighted([20, 0], [30, 1], [20, 3], [15, 5], [15, 9]);
const times = fc.array(fc.record({ pause: waits, ms: jitterMs }), { minLength: 5, maxLength: 5 });

/** Puts steps at drawn times. */
function told(steps: readonly Step[], at: readonly { pause: number; ms: number }[]): TimedStep[] {
  return steps.map((step, place) => ({ pause: 0, ms: 0, ...at[place], step }));
}

/** A question is extended by an artifact of another task, the task that asked is long silent, and then goes on. */
export const extendedQuestions: fc.Arbitrary<readonly TimedStep[]> = fc
  .record({ times, contextId: contextIds, goesOnTo: states, asksAgain: fc.boolean() })
  .map(({ times: at, contextId, goesOnTo, asksAgain }) => {
    const asking = { type: 'statusObserved' as const, agentId, taskId: 't8', contextId };
    const question: Step = ({ hours }) => ({
      ...asking,
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: carrying({ expectations: [questionOf('q8', 't8', 'k8', onGrid(hours + 1), {})] }),
    });
    const extension: Step = ({ hours }) => ({
      type: 'artifactObserved',
      ...{ agentId, taskId: 't9', contextId },
      artifact: carrying({ expectations: [questionOf('q9', 't8', 'k9', onGrid(hours + 20), { supersedes: 'q8' })] }),
    });
    const silence: Step = () => ({ type: 'tick' });
    const change: Step = () => ({ ...asking, state: asksAgain ? 'TASK_STATE_AUTH_REQUIRED' : goesOnTo });
    const end: Step = () => ({ ...asking, state: 'TASK_STATE_WORKING' });
    return told([question, extension, silence, change, end], at);
  });

/** A step lapses and retires; what hangs from it has a horizon about then, and there was noise on its subject or not. */
export const retirements: fc.Arbitrary<readonly TimedStep[]> = fc
  .record({
    times,
    contextId: contextIds,
    horizon: inPercent(85, weighted([1, 3], [1, 4], [1, 5], [1, 6], [1, 9], [1, 10])),
    isNoisy: fc.boolean(),
    isFirst: fc.boolean(),
  })
  .map(({ times: at, contextId, horizon, isNoisy, isFirst }) => {
    const subject = { type: 'shipment', id: 's8' };
    const common = { kind: 'manifest', subject, expects: 'manifest of s8', basis: 'observed' };
    const raising: Step = ({ hours }) => {
      const lapsing = { ...common, expectationId: 'r8', satisfiedBy: { factKey: 'k8' }, dueAt: onGrid(hours) };
      const hanging = {
        ...common,
        ...{ expectationId: 'r9', satisfiedBy: { factKey: 'k9' }, dueAt: onGrid(hours + 2) },
        anchor: { expectationId: 'r8', offset: 'PT1H' },
        ...(horizon === undefined ? {} : { horizon: onGrid(hours + horizon) }),
      };
      const expectations = isFirst ? [lapsing, hanging] : [hanging, lapsing];
      return { type: 'artifactObserved', agentId, taskId: 't9', contextId, artifact: carrying({ expectations }) };
    };
    const noise: Step = ({ hours }) => ({
      type: 'factReported',
      reporter: 'feed:1',
      fact: { factKey: 'noise', observedAt: onGrid(hours), ...(isNoisy ? { subject } : {}) },
    });
    const tick: Step = () => ({ type: 'tick' });
    return told([raising, noise, tick, tick, tick], at);
  });
