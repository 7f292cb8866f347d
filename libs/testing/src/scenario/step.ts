// Draws what happens in a scenario, step by step: artifacts, statuses, answers, reports, ticks, cards, settings.
import fc from 'fast-check';
import type { Input } from '#expectations';
import { artifactBlocks, carrierOf, messageBlocks } from './block.ts';
import type { Setting } from './block.ts';
import { inPercent, weighted } from './draw.ts';
import { reportDrafts } from './fact-drafts.ts';
import { onGrid } from './grid.ts';
import { agentIds, cards, contextIds, reporters, states, taskIds } from './pool.ts';
import { laterSettings } from './setting-drafts.ts';

/** Makes an input, its own instant left out. */
export type Step = (
  setting: Setting,
) => Input extends infer One ? (One extends Input ? Omit<One, 'at'> : never) : never;

const ofTask = { agentId: agentIds, taskId: taskIds, contextId: contextIds };

const artifacts: fc.Arbitrary<Step> = fc
  .record({ ...ofTask, block: artifactBlocks, activated: weighted([92, undefined], [3, true], [5, false]) })
  .map(({ block, activated, ...of }): Step => (setting) => ({
    type: 'artifactObserved',
    ...of,
    artifact: carrierOf(block, setting),
    ...(activated === undefined ? {} : { activated }),
  }));

const statusInstants = weighted<number | undefined | null>(
  [30, undefined],
  [26, 0],
  [18, -1],
  [11, -2],
  [8, -4],
  [5, 1],
  [2, null],
);

const statuses: fc.Arbitrary<Step> = fc
  .record({ ...ofTask, state: states, statusAt: statusInstants, block: inPercent(60, messageBlocks) })
  .map(({ state, statusAt, block, ...of }): Step => (setting) => ({
    type: 'statusObserved',
    ...of,
    state,
    ...(statusAt === undefined
      ? {}
      : { statusAt: statusAt === null ? 'soon' : onGrid(Math.max(0, setting.hours + statusAt)) }),
    ...(block === undefined ? {} : { message: carrierOf(block, setting, of.taskId) }),
  }));

const answers: fc.Arbitrary<Step> = fc
  .record({ agentId: agentIds, taskId: taskIds, reporter: reporters })
  .map((answer): Step => () => ({ type: 'answerObserved', ...answer }));

const reports: fc.Arbitrary<Step> = fc
  .record({ reporter: reporters, drafts: reportDrafts, alone: fc.boolean() })
  .map(({ reporter, drafts, alone }): Step => ({ facts, hours }) => {
    const reported = drafts.map((draft) => draft(facts, hours));
    if (alone && reported.length === 1) return { type: 'factReported', reporter, fact: reported[0] };
    return { type: 'factsReported', reporter, facts: reported };
  });

/** One step; what it makes depends on the plan and the hour alone. */
export const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 36, arbitrary: artifacts },
  { weight: 22, arbitrary: statuses },
  { weight: 5, arbitrary: answers },
  { weight: 20, arbitrary: reports },
  { weight: 11, arbitrary: fc.constant<Step>(() => ({ type: 'tick' })) },
  {
    weight: 3,
    arbitrary: fc
      .record({ agentId: agentIds, params: cards })
      .map((card): Step => () => ({ type: 'agentDeclared', ...card })),
  },
  { weight: 3, arbitrary: laterSettings.map((settings): Step => () => ({ type: 'configured', ...settings })) },
);
