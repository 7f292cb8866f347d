// Deciding, folding what was decided, and going on from a snapshot end in the same state, on drawn scenarios.
import {
  decide,
  evolve,
  type Event,
  type Input,
  restoreSnapshot,
  settle,
  type SnapshotPart,
  State,
  takeSnapshot,
} from '#expectations';
import { scenarioAt } from './scenario/scenarios.ts';

const seed = 20_260_906;
const count = process.env['CI'] === undefined ? 300 : 2_000;

/** A scenario's inputs, its settings as the first. */
function inputsAt(index: number): readonly Input[] {
  const { config, inputs } = scenarioAt(seed, index);
  const [first] = inputs;
  return config === undefined || first === undefined
    ? inputs
    : [{ type: 'configured', at: first.at, settings: config }, ...inputs];
}

function partsOf(state: State): SnapshotPart[] {
  return [...takeSnapshot(state)];
}

/** As from a log or a store: new objects, and nothing that JSON does not hold. */
function throughJson<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Compared as texts, which is quick; where they differ, jest shows how. */
function expectSame(where: object, actual: unknown, expected: unknown): void {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  expect({ ...where, actual }).toEqual({ ...where, actual: expected });
  throw new Error('equal to jest, and not as texts');
}

/** Decides, and folds what is decided into another state, as who reads the ledger does. */
function decideAndFold(deciding: State, folding: State, input: Input): Event[] {
  const events = decide(deciding, input);
  for (const event of throughJson(events)) evolve(folding, event);
  if (events.length > 0) settle(folding);
  // A tick that decides nothing writes nothing: who folds has not heard of it.
  else if (deciding.now > folding.now) folding.now = deciding.now;
  return events;
}

/** What a dispatcher would append next: it asks leave to send each lapse, and some of the agents answer. */
function dispatchesOf(events: readonly Event[]): Input[] {
  return events.flatMap((event): Input[] => {
    if (event.type !== 'expectationLapsed') return [];
    const { at, agentId, expectationId, lapse } = event;
    const of = { at, agentId, expectationId, lapse: lapse.lapse, attempt: 1 };
    const attempted: Input = { type: 'dispatchAttempted', ...of };
    return lapse.lapse === 'skipped' ? [attempted] : [attempted, { type: 'dispatchAcknowledged', ...of, taskId: 't9' }];
  });
}

it(`folding the events leads to the state that decided them, after each input of ${count} scenarios`, () => {
  for (let index = 0; index < count; index += 1) {
    const deciding = new State();
    const folding = new State();
    const inputs = inputsAt(index);
    inputs.forEach((input, place) => {
      const events = decideAndFold(deciding, folding, input);
      for (const dispatch of dispatchesOf(events)) decideAndFold(deciding, folding, dispatch);
      if (place % 4 !== 0 && place < inputs.length - 1) return;
      expectSame({ index, place }, partsOf(folding), partsOf(deciding));
    });
  }
}, 600_000);

it(`a state restored from its snapshot decides as the one it was taken of, in each of ${count} scenarios`, () => {
  for (let index = 0; index < count; index += 1) {
    const untouched = new State();
    let restored = new State();
    const decideOnBoth = (input: Input, place: number): Event[] => {
      const events = decide(untouched, input);
      expectSame({ index, place }, decide(restored, input), events);
      return events;
    };
    inputsAt(index).forEach((input, place) => {
      const events = decideOnBoth(input, place);
      for (const dispatch of dispatchesOf(events)) decideOnBoth(dispatch, place);
      if (place % 5 === index % 5) restored = restoreSnapshot(throughJson(partsOf(restored)));
    });
    expectSame({ index }, partsOf(restored), partsOf(untouched));
  }
}, 600_000);
