// Faults in how instants and deadlines count.
import type { Mutant } from './mutant.ts';

export const ofTime: readonly Mutant[] = [
  {
    name: 'a deadline fires at its own instant',
    file: 'deadlines.ts',
    find: 'hasPassed(instant, turn.now);',
    replace: 'instant <= turn.now;',
  },
  {
    name: 'what is anchored fires before its anchor',
    file: 'deadlines.ts',
    find: 'left.depth - right.depth ||',
    replace: 'right.depth - left.depth ||',
  },
  {
    name: 'of one instant the kind counts before the order of recording',
    file: 'deadlines.ts',
    find: 'left.expectation.seq - right.expectation.seq ||',
    replace: '',
  },
  {
    name: 'what has fired at the same instant is not looked at again',
    file: 'deadlines.ts',
    find: '|| deadlineOf(expectation, kind) !== instant) return;',
    replace: ') return;',
  },
  {
    name: 'observed at the due time is late',
    file: 'deadline.ts',
    find: 'return instant > dueAt;',
    replace: 'return instant >= dueAt;',
  },
  {
    name: 'a skipped one can still be overdue',
    file: 'deadline.ts',
    find: 'return expectation.is(Mark.suspended | Mark.overdue | Mark.skipped) ? Infinity : expectation.overdueAt;',
    replace: 'return expectation.is(Mark.suspended | Mark.overdue) ? Infinity : expectation.overdueAt;',
  },
  {
    name: 'silence counts from the raising, whatever was satisfied since',
    file: 'deadline.ts',
    find: 'Math.max(subject.satisfiedAtFact, expectation.raisedAtFact)',
    replace: 'expectation.raisedAtFact',
  },
  {
    name: 'retirement does not wait for the horizon',
    file: 'deadline.ts',
    find: 'Math.max(latestLapseAt, horizon, expectation.overdueAt)',
    replace: 'Math.max(latestLapseAt, expectation.overdueAt)',
  },
  {
    name: 'what was satisfied after the horizon stalls at its horizon',
    file: 'deadline.ts',
    find: 'Math.max(expectation.horizon, expectation.recordedAt, expectation.subject?.satisfiedAt ?? -Infinity)',
    replace: 'expectation.horizon',
  },
  {
    name: 'a satisfaction does not look again at those whose silence was broken',
    file: 'schedule.ts',
    find: '(subject.unsilenced ??= new Set()).add(expectation)',
    replace: 'subject.unsilenced ??= new Set()',
  },
  {
    name: 'an offset is dropped',
    file: 'instant.ts',
    find: '(hour * 60 + minute - offsetMinutes)',
    replace: '(hour * 60 + minute + 0 * offsetMinutes)',
  },
  {
    name: 'a month is 31 days',
    file: 'duration.ts',
    find: 'start.add({ months: duration.months }).epochMilliseconds',
    replace: '(atMs + duration.months * 31 * DAY_MS)',
  },
  {
    name: 'a period is over at its own end',
    file: 'duration.ts',
    find: 'earliest < nowMs && (period.months === 0 ||',
    replace: 'earliest <= nowMs && (period.months === 0 ||',
  },
  {
    name: 'time goes back',
    file: 'decide.ts',
    find: 'Math.max(stamped, state.now)',
    replace: 'stamped',
  },
  {
    name: 'deadlines an input has created wait for the next input',
    file: 'decide.ts',
    find: '  fire(turn);\n  settle(state);',
    replace: '  settle(state);',
  },
];
