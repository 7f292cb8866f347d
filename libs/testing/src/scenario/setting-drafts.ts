// Draws settings: mostly short windows and memories and low bounds, so that forgetting and refusing happen.
import fc from 'fast-check';
import type { Settings } from '#expectations';
import { inPercent, present, weighted } from './draw.ts';

const periods = weighted([10, 'PT0S'], [25, 'PT2H'], [25, 'PT4H'], [20, 'PT8H'], [15, 'P1D'], [5, 'P1M']);
const lineageBounds = weighted([15, 0], [35, 1], [30, 2], [20, 9]);
const agentBounds = weighted([20, 2], [30, 4], [30, 6], [20, 100]);

/** The `config` of a scenario: only what a vector file may set. */
export const configs: fc.Arbitrary<Partial<Settings> | undefined> = inPercent(
  65,
  fc
    .record({
      lineageBound: inPercent(45, lineageBounds),
      maxOpenPerSubject: inPercent(25, weighted([25, 1], [40, 2], [35, 4])),
      maxOpenPerAgent: inPercent(20, agentBounds),
      earlyFactWindow: inPercent(50, weighted([15, 'PT0S'], [35, 'PT2H'], [35, 'PT4H'], [15, 'P1D'])),
      retireAfter: inPercent(65, periods),
    })
    .map((drawn) => present(drawn)),
);

/** The memory a scenario starts with, set by a first `configured` input. */
export const memories: fc.Arbitrary<unknown> = inPercent(
  70,
  fc
    .record({
      closedMemory: inPercent(75, periods),
      factMemory: inPercent(50, periods),
      factMemoryMax: inPercent(30, fc.integer({ min: 0, max: 4 })),
      refusalMemory: inPercent(35, fc.integer({ min: 0, max: 3 })),
    })
    .map((drawn) => present(drawn)),
);

/** A change on the way, for the tenant or one agent; one in some is wrong somewhere and changes nothing. */
export const laterSettings: fc.Arbitrary<{ agentId?: string; settings: unknown }> = fc.oneof(
  { weight: 40, arbitrary: memories.map((settings) => ({ settings: settings ?? {} })) },
  { weight: 25, arbitrary: configs.map((settings) => ({ settings: settings ?? {} })) },
  {
    weight: 22,
    arbitrary: fc
      .record({
        lineageBound: inPercent(40, lineageBounds),
        maxOpenPerAgent: inPercent(40, agentBounds),
        refusalMemory: inPercent(40, fc.integer({ min: 0, max: 2 })),
        dispatchSelfTimed: inPercent(20, fc.boolean()),
      })
      .map((drawn) => ({ agentId: 'booking', settings: present(drawn) })),
  },
  {
    weight: 13,
    arbitrary: weighted<{ agentId?: string; settings: unknown }>(
      [1, { settings: { lineageBound: 0, colour: 'red' } }],
      [1, { settings: { maxOpenPerSubject: '1' } }],
      [1, { settings: { maxOpenPerAgent: -1, lineageBound: 0 } }],
      [1, { settings: { closedMemory: '1h', retireAfter: 'PT0S' } }],
      [1, { settings: { maxOpenPerSubject: 1.5 } }],
      [1, { settings: [] }],
      [1, { settings: null }],
      [1, { agentId: 'booking', settings: { closedMemory: 'PT0S', lineageBound: 0 } }],
    ),
  },
);
