// The faults planted in the life cycle of reminders that the comparison with the naive model has to find.
import type { Mutant } from '../mutants/mutant.ts';

const one = (file: string, name: string, find: string, replace: string): Mutant => ({ name, file, find, replace });

const ofInjects: readonly Mutant[] = [
  one('inject.ts', 'an ended task takes reminders', 'if (input.isTerminal)', 'if (false)'),
  one(
    'inject.ts',
    'other content under a known id is taken for the same',
    'known.contentHash === input.contentHash',
    'true',
  ),
  one('inject.ts', 'ids that are gone are forgotten', '[...state.live, ...state.gone]', '[...state.live]'),
  one('inject.ts', 'another task’s own id is known', 'isSession(one) : one.isSession', 'true : true'),
  one('inject.ts', 'keys displace across scopes', 'live.reminder.propagate !== reminder.propagate', 'false'),
  one(
    'inject.ts',
    'a task’s key displaces another task’s',
    'return isSession(live) || live.taskId === taskId;',
    'return true;',
  ),
  one('inject.ts', 'what is displaced makes no room', '!displaced.includes(live)', 'true'),
  one('inject.ts', 'one more is taken than may be', '.length >= bound', '.length > bound'),
  one('inject.ts', 'at rest the turn accepted in is the last', 'running === undefined ? turns + 1 : turns', 'turns'),
  one('inject.ts', 'a later turn is not kept', 'Math.max(draft.firedAtTurn ?? 0, acceptedIn)', 'acceptedIn'),
  one('inject.ts', 'nobody is interrupted', "reminder.mode === 'interrupt_immediate'", 'false'),
];

const ofTurns: readonly Mutant[] = [
  one('turns.ts', 'a turn told twice counts twice', 'before?.running?.turnId === turnId', 'false'),
  one(
    'turns.ts',
    'a turn that another follows is not ended',
    '  endTurn(deciding, at, taskId);\n  deciding',
    '  deciding',
  ),
  one(
    'turns.ts',
    'a waiting reminder is told between steps',
    "reminder.mode !== 'wait_for_completion'",
    'reminder.id !== ""',
  ),
  one('turns.ts', 'what is told is told again', ' && !isTold(live, task)', ''),
  one('turns.ts', 'later turns are told too early', ' && isDue(live, task)', ''),
  one('turns.ts', 'it lives one turn longer', 'turnsLeft > 1', 'turnsLeft > 0'),
  one('turns.ts', 'it is never counted down', 'turnsLeft: turnsLeft - 1', 'turnsLeft'),
  one('state.ts', 'a later turn defers on every task', 'live.taskId !== task.taskId || ', ''),
  one('state.ts', 'a task’s reminder is for all', 'return isSession(live) || live.taskId === taskId;', 'return true;'),
];

const ofEndings: readonly Mutant[] = [
  one('endings.ts', 'a task’s end expires what other tasks have', ' && live.taskId === taskId', ''),
  one('endings.ts', 'a task’s end expires nothing of its own', '!isSession(live) && ', 'false && '),
  one('endings.ts', 'the context outlives its tasks', 'deciding.state.tasks.length === 1', 'false'),
  one('endings.ts', 'the last turn does not count', '  endTurn(deciding, at, taskId);\n  expire', '  expire'),
  one(
    'endings.ts',
    'a compaction preserves the wrong ones',
    '!reminder.preserveOnCompact',
    'reminder.preserveOnCompact',
  ),
  one('endings.ts', 'what is carried stays', 'if (isLive) deciding', 'if (false) deciding'),
  one('evolve.ts', 'a task’s ids outlive it', 'one.isSession || one.taskId !== taskId', 'one.taskId.length > 0'),
];

const ofUpdates: readonly Mutant[] = [
  one(
    'update.ts',
    'expiry has the wrong reason',
    "toAll(state, findLive(state, event), 'REMINDER_EXPIRED')",
    "toAll(state, findLive(state, event), 'REMINDER_DEDUPED')",
  ),
  one('update.ts', 'every stream is told', '.filter(({ taskId }) => isFor(live, taskId))', ''),
  one(
    'told.ts',
    'what is told between steps is not said',
    "event.type !== 'remindersTold'",
    "event.type !== 'remindersTold' || event.when === 'step'",
  ),
];

export const reminderMutants: readonly Mutant[] = [...ofInjects, ...ofTurns, ...ofEndings, ...ofUpdates];
