// Compares two ways of deciding on drawn scenarios: the naive model and the core. It must know nothing of either.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { plainest } from './scenario/plainest.ts';
import { drawing, scenarioAt, scenarios } from './scenario/scenarios.ts';
import type { Decided, Scenario } from './scenario/vector.ts';

/** A way of deciding: the model's `judge`, the core's `simulate`. */
export type Decide = (scenario: Scenario) => Readonly<Record<keyof Decided, readonly unknown[]>>;

/** What the two say of one scenario, where they differ; a throw is an answer too. */
export interface Disagreement {
  readonly model: unknown;
  readonly core: unknown;
}

/** The first scenario of a seed on which they differ, and the plainest found from there. */
export interface Difference extends Disagreement {
  readonly seed: number;
  readonly index: number;
  readonly shrunk: Scenario;
}

export interface Comparison {
  readonly model: Decide;
  readonly core: Decide;
  readonly seed: number;
  /** How many scenarios, from index 0 on. */
  readonly count: number;
  /** Called after each scenario with how many are done. */
  readonly onProgress?: (doneCount: number) => void;
}

function answerOf(decide: Decide, scenario: Scenario): unknown {
  try {
    const { records, lapses, refusals } = decide(scenario);
    return { records, lapses, refusals };
  } catch (cause) {
    return { threw: String(cause) };
  }
}

/** What they say where they do not say the same, compared as JSON; undefined where they agree. */
export function disagreement(model: Decide, core: Decide, scenario: Scenario): Disagreement | undefined {
  const said = { model: answerOf(model, scenario), core: answerOf(core, scenario) };
  if (isDeepStrictEqual(said.model, said.core)) return undefined;
  const written = JSON.parse(JSON.stringify(said)) as Disagreement;
  return isDeepStrictEqual(written.model, written.core) ? undefined : written;
}

/** Goes through the scenarios of a seed, stops at the first difference and shrinks it; undefined where there is none. */
export function findDifference({ model, core, seed, count, onProgress }: Comparison): Difference | undefined {
  for (let index = 0; index < count; index += 1) {
    if (disagreement(model, core, scenarioAt(seed, index)) !== undefined) return shrink(model, core, seed, index);
    onProgress?.(index + 1);
  }
  return undefined;
}

/** Draws one scenario again and looks for a plainer one that shows a difference. */
export function shrink(model: Decide, core: Decide, seed: number, index: number): Difference {
  const agrees = fc.property(scenarios, (scenario) => disagreement(model, core, scenario) === undefined);
  const { counterexample } = fc.check(agrees, drawing(seed, index));
  const shrunk = plainest(
    counterexample?.[0] ?? scenarioAt(seed, index),
    (plainer) => disagreement(model, core, plainer) !== undefined,
  );
  const found = disagreement(model, core, shrunk);
  return { seed, index, shrunk, model: found?.model, core: found?.core };
}

/** A difference for a person: what was given, on which input they differ, and what each then says; and how to repeat it. */
export function describeDifference({ seed, index, shrunk, model, core }: Difference): string {
  const { inputs, config } = shrunk;
  const told = { given: { config, inputs: inputs.slice(0, -1) }, when: inputs.at(-1), then: { model, core } };
  return `model and core differ: seed ${seed}, scenario ${index}\n${JSON.stringify(told, undefined, 1)}`;
}
