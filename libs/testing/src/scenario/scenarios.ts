// Scenarios: a plan, settings, and some twenty steps on the grid of instants. The same seed and index give the same scenario.
import fc from 'fast-check';
import { present, weighted } from './draw.ts';
import { factPlans } from './fact-drafts.ts';
import { jitterMs, onGrid } from './grid.ts';
import { plans } from './plan.ts';
import { fullCard } from './pool.ts';
import { configs, memories } from './setting-drafts.ts';
import { steps } from './step.ts';
import { extendedQuestions, retirements } from './story.ts';
import type { TimedStep } from './story.ts';
import type { Scenario } from './vector.ts';

/** Hours to the next step: often none, sometimes back, sometimes far on. */
const pauses = weighted([28, 0], [34, 1], [16, 2], [8, 3], [5, 6], [3, 11], [4, -1], [1, -3], [1, 31 * 24]);

/** One step mostly, now and then a story. */
const fragments: fc.Arbitrary<readonly TimedStep[]> = fc.oneof(
  { weight: 965, arbitrary: fc.record({ pause: pauses, ms: jitterMs, step: steps }).map((one) => [one]) },
  { weight: 15, arbitrary: extendedQuestions },
  { weight: 20, arbitrary: retirements },
);

/** Whole scenarios; they shrink to fewer and plainer inputs. */
export const scenarios: fc.Arbitrary<Scenario> = fc
  .record({
    config: configs,
    memory: memories,
    plan: plans,
    facts: factPlans,
    fragments: fc.array(fragments, { minLength: 12, maxLength: 32 }),
  })
  .map(({ config, memory, plan, facts, fragments: drawn }) => {
    const inputs: unknown[] = ['booking', 'customs'].map((agentId) => {
      return { type: 'agentDeclared', at: onGrid(0), agentId, params: fullCard };
    });
    if (memory !== undefined) inputs.push({ type: 'configured', at: onGrid(0), settings: memory });
    let hours = 0;
    for (const { pause, ms, step } of drawn.flat()) {
      hours = Math.max(0, hours + pause);
      inputs.push({ at: onGrid(hours, ms), ...step({ plan, facts, hours }) });
    }
    // Through JSON, as a log would have it: no undefined members, nothing shared between inputs.
    return JSON.parse(JSON.stringify(present({ config, inputs }))) as Scenario;
  });

/** Spreads a seed and an index over all seeds, so that neighbours have nothing in common. */
export function seedOf(seed: number, index: number): number {
  let mixed = (seed ^ Math.imul(index + 1, 0x9e3779b1)) | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** How fast-check is told to draw the one scenario of a seed and an index, here and when it is shrunk. */
export function drawing(seed: number, index: number): { seed: number; numRuns: 1; unbiased: true } {
  return { seed: seedOf(seed, index), numRuns: 1, unbiased: true };
}

/** The scenario of that index (from 0) under that seed. */
export function scenarioAt(seed: number, index: number): Scenario {
  const [scenario] = fc.sample(scenarios, drawing(seed, index));
  if (scenario === undefined) throw new Error('fast-check drew nothing');
  return scenario;
}
