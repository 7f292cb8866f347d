// The core against the naive model on drawn scenarios, and the comparison against planted differences.
import { randomInt } from 'node:crypto';
import { decide, simulate, State, type Input } from '#expectations';
import { describeDifference, findDifference } from './differential.ts';
import type { Decide } from './differential.ts';
import { judge, type Judgement } from './model/judge.ts';
import { scenarioAt } from './scenario/scenarios.ts';
import type { Scenario } from './scenario/vector.ts';

const inCi = process.env['CI'] !== undefined;
const fixedSeed = 20_260_905;
const freshSeed = randomInt(2 ** 31);

describe('drawn scenarios', () => {
  it('are the same for the same seed and index, and others for another', () => {
    expect(scenarioAt(1, 7)).toEqual(scenarioAt(1, 7));
    expect(scenarioAt(1, 7)).not.toEqual(scenarioAt(1, 8));
    expect(scenarioAt(1, 7)).not.toEqual(scenarioAt(2, 7));
  });
});

describe('the comparison', () => {
  it('finds nothing between the model and itself', () => {
    expect(findDifference({ model: judge, core: judge, seed: 1, count: 100 })).toBeUndefined();
  });

  it('finds a core that cuts a report in pieces, and shows it by few inputs', () => {
    const cutting: Decide = (scenario) =>
      judge({
        ...scenario,
        inputs: scenario.inputs.flatMap((input) =>
          input.type === 'factsReported'
            ? input.facts.map((fact) => ({
                type: 'factReported' as const,
                at: input.at,
                reporter: input.reporter,
                fact,
              }))
            : [input],
        ),
      });
    const difference = findDifference({ model: judge, core: cutting, seed: 1, count: 2000 });
    expect(difference?.shrunk.inputs.length).toBeLessThan(8);
    expect(difference?.shrunk.inputs.at(-1)?.type).toBe('factsReported');
    expect(difference === undefined ? '' : describeDifference(difference)).toContain('"when": {');
  });

  it('takes a throw for an answer', () => {
    const throwing: Decide = () => {
      throw new Error('a bug');
    };
    expect(findDifference({ model: judge, core: throwing, seed: 1, count: 1 })?.core).toEqual({
      threw: 'Error: a bug',
    });
  });
});

describe('the core', () => {
  it.each([
    ['a fixed seed', fixedSeed, inCi ? 20_000 : 2000],
    [`a fresh seed, ${freshSeed}`, freshSeed, inCi ? 5000 : 500],
  ])(
    'decides as the model does, under %s',
    (_which, seed, count) => {
      const difference = findDifference({ model: judge, core: simulate, seed, count });
      expect(difference === undefined ? '' : describeDifference(difference)).toBe('');
    },
    600_000,
  );

  it('warns as the model does', () => {
    for (let index = 0; index < 500; index += 1) {
      const scenario = scenarioAt(fixedSeed, index);
      expect({ index, warnings: warningsOfCore(scenario) }).toEqual({ index, warnings: judge(scenario).warnings });
    }
  });
});

/** What the core warns of in every expectation it records, in that order. */
function warningsOfCore({ config, inputs }: Scenario): Judgement['warnings'] {
  const state = new State();
  const first: Input = { type: 'configured', at: inputs[0]?.at ?? '', settings: config };
  return (config === undefined ? inputs : [first, ...inputs])
    .flatMap((input) => decide(state, input))
    .flatMap((event) => (event.type === 'expectationRecorded' ? [event] : []))
    .map(({ agentId, expectationId, warnings }) => ({ agentId, expectationId, warnings }));
}
