// ISO 8601 durations by plain arithmetic: calendar months first, then exact milliseconds (semantics, *Time*).
// It must never lean on a library or on the core.
import { calendarDay, daysInMonth, midnight } from './instant.ts';

/** Years are twelve months; weeks, days and time are exact. */
export interface Duration {
  readonly months: number;
  readonly ms: number;
}

export const zero: Duration = { months: 0, ms: 0 };

const form =
  /^P(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?(T(?:(\d{1,9})(?:[.,](\d{1,9}))?H)?(?:(\d{1,9})(?:[.,](\d{1,9}))?M)?(?:(\d{1,9})(?:[.,](\d{1,9}))?S)?)?$/;
const dayMs = 86_400_000;

/** The milliseconds of a whole number and its fraction of a unit; what is finer is cut. */
function scaled(whole: string | undefined, fraction: string | undefined, unitMs: number): number {
  const digits = fraction ?? '';
  return Number((BigInt((whole ?? '0') + digits) * BigInt(unitMs)) / 10n ** BigInt(digits.length));
}

/** The duration, or undefined where the value is malformed or longer than 36,600 days. */
export function readDuration(value: unknown): Duration | undefined {
  const parts = typeof value === 'string' ? form.exec(value) : null;
  if (parts === null || value === 'P' || parts[5] === 'T') return undefined;
  const [years, months, weeks, days] = [parts[1], parts[2], parts[3], parts[4]].map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  // A fraction stands only on the smallest unit written.
  if (parts[7] !== undefined && (parts[8] !== undefined || parts[10] !== undefined)) return undefined;
  if (parts[9] !== undefined && parts[10] !== undefined) return undefined;
  const time =
    scaled(parts[6], parts[7], 3_600_000) + scaled(parts[8], parts[9], 60_000) + scaled(parts[10], parts[11], 1000);
  const exactMs = (weeks * 7 + days) * dayMs + time;
  if ((years * 366 + months * 31) * dayMs + exactMs > 36_600 * dayMs) return undefined;
  return { months: years * 12 + months, ms: exactMs };
}

/** The instant a duration after another: months by the calendar in UTC, to the last day of a shorter month. */
export function later(instant: number, duration: Duration): number {
  if (duration.months === 0) return instant + duration.ms;
  const from = calendarDay(instant);
  const monthsSinceZero = from.year * 12 + from.month - 1 + duration.months;
  const year = Math.floor(monthsSinceZero / 12);
  const month = (monthsSinceZero % 12) + 1;
  const day = Math.min(from.day, daysInMonth(year, month));
  return midnight(year, month, day) + from.sinceMidnight + duration.ms;
}
