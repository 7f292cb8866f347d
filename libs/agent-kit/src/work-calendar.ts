// Days and hours on which work is done, in a zone: what due times are counted in. Pure; the calendar is Temporal's.
import { Temporal } from 'temporal-polyfill';
import { checkCalendar, checkLocal } from './calendar-form.ts';

/** 1 is Monday, 7 is Sunday. */
export type Weekday = 1 | 2 | 3 | 4 | 5 | 6 | 7;

export interface WorkCalendar {
  /** An IANA zone, such as `Asia/Dubai`. */
  readonly zone: string;
  /** Monday to Friday unless given. */
  readonly workdays?: readonly Weekday[];
  /** Dates on which no work is done, such as `2026-12-25`. */
  readonly holidays?: readonly string[];
  /** Times of day between which work is done; all of the day unless given. */
  readonly hours?: { readonly from: string; readonly to: string };
}

/** A wall-clock time that its zone has twice, or not at all, is taken as the later or the earlier instant, or refused. */
export type Disambiguation = 'later' | 'earlier' | 'reject';

const mondayToFriday: readonly Weekday[] = [1, 2, 3, 4, 5];
/** So many days are gone through at most: a calendar with no workday ends, too. */
const mostDays = 3_660;

/** The instant of a local time, `2026-09-10T17:00`, in a zone. Throws a RangeError where there is none. */
export function instantOf(local: string, zone: string, disambiguation: Disambiguation): Temporal.Instant {
  checkLocal(local);
  return Temporal.PlainDateTime.from(local).toZonedDateTime(zone, { disambiguation }).toInstant();
}

/**
 * The time of day on the workday so many workdays after the day of an instant, in the calendar's zone; with 0 on the first
 * workday on which that time is still to come. Throws a RangeError where there is none.
 */
export function workdaysAfter(
  from: Temporal.Instant,
  count: number,
  calendar: WorkCalendar,
  at: string,
  disambiguation: Disambiguation,
): Temporal.Instant {
  checkCalendar(calendar);
  if (!Number.isInteger(count) || count < 0) throw new RangeError('workdays must be a whole number from 0');
  let left = Math.max(count, 1);
  let isFirst = count > 0;
  for (const day of daysFrom(from, calendar)) {
    const counts = !isFirst && isWorkday(day, calendar);
    isFirst = false;
    if (!counts) continue;
    const instant = onDay(day, at, calendar.zone, disambiguation);
    if (Temporal.Instant.compare(instant, from) >= 0) left -= 1;
    if (left === 0) return instant;
  }
  throw new RangeError('the calendar has no such workday within ten years');
}

/**
 * The instant at which so much working time has passed since another, counted in real time, so that a day on which the
 * clocks change counts what it has. Throws a RangeError where that never is.
 */
export function workingTimeAfter(from: Temporal.Instant, workingMs: number, calendar: WorkCalendar): Temporal.Instant {
  checkCalendar(calendar);
  let leftMs = workingMs;
  for (const day of daysFrom(from, calendar)) {
    if (!isWorkday(day, calendar)) continue;
    const [opensAt, closesAt] = openingOf(day, calendar);
    const startsAt = Temporal.Instant.compare(opensAt, from) < 0 ? from : opensAt;
    const openMs = closesAt.epochMilliseconds - startsAt.epochMilliseconds;
    if (openMs <= 0) continue;
    if (leftMs <= openMs) return startsAt.add({ milliseconds: leftMs });
    leftMs -= openMs;
  }
  throw new RangeError('the calendar has not so much working time within ten years');
}

function openingOf(
  day: Temporal.PlainDate,
  { zone, hours }: WorkCalendar,
): readonly [Temporal.Instant, Temporal.Instant] {
  const opensAt = onDay(day, hours?.from ?? '00:00', zone, 'later');
  const closesAt =
    hours === undefined ? onDay(day.add({ days: 1 }), '00:00', zone, 'later') : onDay(day, hours.to, zone, 'later');
  return [opensAt, closesAt];
}

function* daysFrom(from: Temporal.Instant, { zone }: WorkCalendar): Iterable<Temporal.PlainDate> {
  const first = from.toZonedDateTimeISO(zone).toPlainDate();
  for (let days = 0; days <= mostDays; days += 1) yield first.add({ days });
}

function isWorkday(day: Temporal.PlainDate, { workdays = mondayToFriday, holidays = [] }: WorkCalendar): boolean {
  return (workdays as readonly number[]).includes(day.dayOfWeek) && !holidays.includes(day.toString());
}

function onDay(day: Temporal.PlainDate, at: string, zone: string, disambiguation: Disambiguation): Temporal.Instant {
  return instantOf(`${day.toString()}T${at}`, zone, disambiguation);
}
