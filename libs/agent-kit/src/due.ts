// When something is due, in the ways in which people say it, as the instant that goes on the wire (Expectations §8).
// Pure: the present is given. A wall-clock time that there is twice, or not at all, because the clocks change, is taken as
// the later instant unless told otherwise: nobody is called for something that a clock on a wall does not show as late.
import { Temporal } from 'temporal-polyfill';
import { addDuration, formatInstant, parseDuration, parseInstant } from '#expectations';
import { checkMembers } from './calendar-form.ts';
import { type Disambiguation, instantOf, type WorkCalendar, workdaysAfter, workingTimeAfter } from './work-calendar.ts';

/** From when it is counted; from now unless given. */
interface Counted {
  readonly from?: string | Date;
}

export type Due =
  /** An RFC 3339 instant with an offset. */
  | string
  | Date
  /** An ISO 8601 duration from now, or from an instant. */
  | (Counted & { readonly in: string })
  /** A local time, `2026-09-10T17:00`, in an IANA zone. */
  | { readonly local: string; readonly zone: string; readonly disambiguation?: Disambiguation }
  /** A time of day, so many workdays on; 0 for the first workday on which it is still to come. */
  | (Counted & {
      readonly workdays: number;
      readonly at: string;
      readonly calendar: WorkCalendar;
      readonly disambiguation?: Disambiguation;
    })
  /** So much time as work is done in, an ISO 8601 duration of hours, minutes and seconds. */
  | (Counted & { readonly workingTime: string; readonly calendar: WorkCalendar });

/** A due time that names no instant; a bug, or a text from elsewhere that should have been checked. */
export class InvalidDueError extends Error {
  override readonly name = 'InvalidDueError';
  readonly retryable = false;
}

/** The last instant that a watcher can read. */
const lastMs = parseInstant('9799-12-31T23:59:59.999Z');

/** The instant in UTC. Throws an `InvalidDueError` where there is none. */
export function dueAtOf(due: Due, nowMs: number): string {
  try {
    const atMs = epochOf(due, nowMs);
    if (!(atMs >= 0 && atMs <= lastMs)) throw new RangeError('instants are from 1970 and before 9800');
    return formatInstant(Math.trunc(atMs));
  } catch (cause) {
    throw new InvalidDueError(`this is no due time: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

function epochOf(due: Due, nowMs: number): number {
  if (typeof due === 'string' || due instanceof Date) return instantMs(due);
  checkMembers(due, membersOf(due), 'this due time');
  if ('local' in due) return instantOf(due.local, due.zone, due.disambiguation ?? 'later').epochMilliseconds;
  const fromMs = due.from === undefined ? nowMs : instantMs(due.from);
  if ('in' in due) return addDuration(fromMs, durationOf(due.in));
  const from = Temporal.Instant.fromEpochMilliseconds(fromMs);
  const { calendar } = due;
  if ('workdays' in due) {
    return workdaysAfter(from, due.workdays, calendar, due.at, due.disambiguation ?? 'later').epochMilliseconds;
  }
  const { months, ms } = durationOf(due.workingTime);
  if (months > 0 || /[YMWD]/.test(due.workingTime.split('T')[0] ?? '')) {
    throw new RangeError('working time is given in hours, minutes and seconds: count workdays for days');
  }
  return workingTimeAfter(from, ms, calendar).epochMilliseconds;
}

function membersOf(due: Exclude<Due, string | Date>): readonly string[] {
  if ('local' in due) return ['local', 'zone', 'disambiguation'];
  if ('in' in due) return ['in', 'from'];
  return 'workdays' in due
    ? ['workdays', 'at', 'calendar', 'disambiguation', 'from']
    : ['workingTime', 'calendar', 'from'];
}

function instantMs(instant: string | Date): number {
  const ms = typeof instant === 'string' ? parseInstant(instant) : instant.getTime();
  if (Number.isNaN(ms)) throw new RangeError('an instant is RFC 3339 with an offset, such as 2026-09-10T17:00:00Z');
  return ms;
}

function durationOf(text: string): NonNullable<ReturnType<typeof parseDuration>> {
  const duration = parseDuration(text);
  if (duration === undefined) throw new RangeError('a duration is ISO 8601, such as PT2H, and not negative');
  return duration;
}
