// Drawn stories of one context: few tasks, ids and keys, so that they meet often.
import fc from 'fast-check';
import { type Input, modes, propagations, type ReminderDraft } from '#reminders';
import { chance, inPercent, present, weighted } from '../scenario/draw.ts';

const tasks = fc.constantFrom('a', 'b', 'c');
const ids = fc.constantFrom('r1', 'r2', 'r3', 'r4');

const drafts: fc.Arbitrary<ReminderDraft> = fc
  .record({
    id: inPercent(70, ids),
    body: weighted([9, 'one'], [1, 'other']),
    tags: fc.constant([]),
    dedupeKey: inPercent(40, fc.constantFrom('k1', 'k2')),
    ttlTurns: inPercent(60, fc.integer({ min: 1, max: 3 })),
    preserveOnCompact: chance(50),
    propagate: fc.constantFrom(...propagations),
    roleHint: fc.constant('REMINDER_ROLE_HINT_SYSTEM'),
    firedAtTurn: inPercent(20, fc.integer({ min: 0, max: 4 })),
    mode: fc.constantFrom(...modes),
  })
  .map((draft) => present(draft) as unknown as ReminderDraft);

const injects = fc.record({ taskId: tasks, draft: drafts, isTerminal: chance(2) });
const turns = fc.constantFrom('run 1', 'run 2', 'run 3');

/** What happens, without its instant; an inject's hash and new id are its own. */
const happenings: fc.Arbitrary<object> = fc.oneof(
  { weight: 8, arbitrary: injects.map((inject) => ({ type: 'reminderInjected', ...inject })) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant('turnBegan'), taskId: tasks, turnId: turns }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('stepBoundaryReached'), taskId: tasks }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('turnEnded'), taskId: tasks }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('taskEnded'), taskId: tasks }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('taskOpened'), taskId: tasks }) },
  { weight: 1, arbitrary: fc.constant({ type: 'contextCompacted' }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('remindersCarried'),
      taskId: tasks,
      reminders: fc.array(fc.record({ taskId: tasks, reminderId: ids }), { maxLength: 3 }),
    }),
  },
);

/** Inputs of one context in order, and how many reminders a task may have. */
export interface ReminderScenario {
  readonly livePerTask: number;
  readonly inputs: readonly Input[];
}

export const reminderScenarios: fc.Arbitrary<ReminderScenario> = fc
  .record({
    livePerTask: fc.integer({ min: 2, max: 6 }),
    happenings: fc.array(happenings, { minLength: 4, maxLength: 40, size: 'max' }),
  })
  .map((drawn) => ({ livePerTask: drawn.livePerTask, inputs: drawn.happenings.map(inputOf) }));

function inputOf(happening: object, index: number): Input {
  const at = `2026-09-01T00:00:${String(index).padStart(2, '0')}Z`;
  const { draft } = happening as { draft?: ReminderDraft };
  const { id: _id, ...content } = draft ?? {};
  const made = draft === undefined ? {} : { contentHash: JSON.stringify(content), newId: `made ${index}` };
  return { at, ...happening, ...made } as Input;
}
