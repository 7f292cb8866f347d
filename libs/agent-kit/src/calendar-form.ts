// The forms of what due times are counted with. What is not understood is refused and never left out: a holiday, or an
// offset, that counts for nothing makes something due earlier than was meant. Each throws a RangeError.
import { Temporal } from 'temporal-polyfill';

const isDate = /^\d{4}-\d\d-\d\d$/;
const isTimeOfDay = /^\d\d:\d\d(:[0-5]\d(\.\d{1,9})?)?$/;

const days: readonly unknown[] = [1, 2, 3, 4, 5, 6, 7];
const calendarMembers = ['zone', 'workdays', 'holidays', 'hours'];

/** `2026-09-10T17:00`: no offset, which would be dropped, and no day alone, which would be its beginning. */
export function checkLocal(local: string): void {
  const [date = '', time = '', ...more] = local.split('T');
  if (more.length > 0 || !isDate.test(date) || !isTimeOfDay.test(time)) {
    throw new RangeError(`a local time is a day and a time of day, such as 2026-09-10T17:00, without offset: ${local}`);
  }
}

export function checkCalendar(calendar: object): void {
  checkMembers(calendar, calendarMembers, 'a calendar');
  const { holidays = [], hours = {}, workdays = [] } = calendar as Readonly<Record<string, unknown>>;
  if (!Array.isArray(holidays) || !holidays.every(isDay)) {
    throw new RangeError('holidays are a list of days, such as 2026-12-25');
  }
  if (!Array.isArray(workdays) || !workdays.every((day: unknown) => days.includes(day))) {
    throw new RangeError('workdays are a list of numbers from 1, Monday, to 7, Sunday');
  }
  checkMembers(hours as object, ['from', 'to'], 'the hours of a calendar');
}

/** One that nobody knows is mistyped. */
export function checkMembers(value: object, known: readonly string[], of: string): void {
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new RangeError(`${of} has ${known.join(', ')}, and no ${unknown}`);
}

function isDay(text: unknown): boolean {
  if (typeof text !== 'string' || !isDate.test(text)) return false;
  Temporal.PlainDate.from(text, { overflow: 'reject' });
  return true;
}
