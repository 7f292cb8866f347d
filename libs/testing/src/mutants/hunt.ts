// Looks for a scenario on which a planted fault shows. The model is asked once a scenario, however many faults there are.
import { disagreement } from '../differential.ts';
import type { Decide } from '../differential.ts';
import { scenarioAt } from '../scenario/scenarios.ts';
import type { Scenario } from '../scenario/vector.ts';

/** The index of the first scenario of the hunt's seed on which the two differ, or undefined where there is none. */
export type Hunt = (core: Decide) => number | undefined;

/** A hunt over so many scenarios of a seed, from index 0 on. */
export function hunt(model: Decide, seed: number, count: number): Hunt {
  const asked: { scenario: Scenario; decided: ReturnType<Decide> }[] = [];
  const ask = (index: number): { scenario: Scenario; decided: ReturnType<Decide> } => {
    const scenario = scenarioAt(seed, index);
    return { scenario, decided: model(scenario) };
  };
  return (core) => {
    for (let index = 0; index < count; index += 1) {
      const { scenario, decided } = (asked[index] ??= ask(index));
      if (disagreement(() => decided, core, scenario) !== undefined) return index;
    }
    return undefined;
  };
}
