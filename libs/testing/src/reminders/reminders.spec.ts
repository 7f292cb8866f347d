// The library and the naive model say the same of drawn stories; and every planted fault is found by comparing them.
import fc from 'fast-check';
import { isDeepStrictEqual } from 'node:util';
import { initialState, isOver, type State, step } from '#reminders';
import { openWorkshop, type Workshop } from '../mutants/workshop.ts';
import { reminderMutants } from './reminder-mutants.ts';
import { NaiveReminders } from './naive-reminders.ts';
import { observedStep, type Step } from './observed-step.ts';
import { type ReminderScenario, reminderScenarios } from './reminder-scenarios.ts';

const seed = 20260901;

/** The input at which they differ, with what each says of it; undefined where they agree to the end. */
function difference(scenario: ReminderScenario, stepOf: Step): object | undefined {
  const model = new NaiveReminders(scenario.livePerTask);
  let state = initialState('context');
  for (const input of scenario.inputs) {
    const expected = model.take(input);
    const { after, observed } = observedStep(stepOf, state, input, scenario.livePerTask);
    if (!isDeepStrictEqual(observed, expected)) return { input, expected, observed };
    state = after;
  }
  return undefined;
}

function statesOf({ inputs, livePerTask }: ReminderScenario): State[] {
  let state = initialState('context');
  return inputs.map((input) => (state = observedStep(step, state, input, livePerTask).after));
}

it('library and model agree on a thousand drawn stories', () => {
  fc.assert(
    fc.property(reminderScenarios, (scenario) => expect(difference(scenario, step)).toBeUndefined()),
    { seed, numRuns: 1000 },
  );
});

it('no task ever has more live reminders than it may, and a context without tasks has nothing', () => {
  fc.assert(
    fc.property(reminderScenarios, (scenario) => {
      for (const state of statesOf(scenario)) {
        for (const { taskId } of state.tasks) {
          const live = state.live.filter((one) => one.taskId === taskId || one.reminder.propagate.endsWith('SESSION'));
          expect(live.length).toBeLessThanOrEqual(scenario.livePerTask);
        }
        if (isOver(state)) expect(state).toEqual(initialState('context'));
      }
    }),
    { seed, numRuns: 200 },
  );
});

describe('a fault planted in the library', () => {
  const scenarios = fc.sample(reminderScenarios, { seed, numRuns: 1000 });
  let workshop: Workshop;
  beforeAll(() => {
    workshop = openWorkshop({ sources: 'libs/reminders/src/life-cycle', entry: 'step.ts', decide: 'step' });
  });
  afterAll(() => workshop.close());

  it.each(reminderMutants.map((mutant) => [mutant.name, mutant] as const))('is found: %s', async (_, mutant) => {
    const faulty = (await workshop.plant(mutant)) as unknown as Step;
    expect(scenarios.some((scenario) => difference(scenario, faulty) !== undefined)).toBe(true);
  });
});
