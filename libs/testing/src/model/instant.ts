// Instants as milliseconds since 1970, read and written by plain calendar arithmetic (semantics, *Time*).
// It must never lean on a library or on the core: a mistake in theirs has to show as a difference.

const form = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;
const dayMs = 86_400_000;

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** The days of a month, 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function daysBeforeYear(year: number): number {
  const past = year - 1;
  return past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400);
}

/** Midnight UTC of a day, in milliseconds since 1970. */
export function midnight(year: number, month: number, day: number): number {
  let days = daysBeforeYear(year) - daysBeforeYear(1970) + day - 1;
  for (let earlier = 1; earlier < month; earlier += 1) days += daysInMonth(year, earlier);
  return days * dayMs;
}

/** The calendar day an instant is in, and the milliseconds since its midnight, in UTC. */
export function calendarDay(instant: number): { year: number; month: number; day: number; sinceMidnight: number } {
  let day = Math.floor(instant / dayMs);
  const sinceMidnight = instant - day * dayMs;
  let year = 1970;
  while (day >= (isLeapYear(year) ? 366 : 365)) {
    day -= isLeapYear(year) ? 366 : 365;
    year += 1;
  }
  let month = 1;
  while (day >= daysInMonth(year, month)) {
    day -= daysInMonth(year, month);
    month += 1;
  }
  return { year, month, day: day + 1, sinceMidnight };
}

/** Milliseconds since 1970, or undefined where the value is no well-formed instant from 1970 up to 9800. */
export function readInstant(value: unknown): number | undefined {
  const parts = typeof value === 'string' ? form.exec(value) : null;
  if (parts === null) return undefined;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offsetHour = Number(parts[9] ?? 0);
  const offsetMinute = Number(parts[10] ?? 0);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return undefined;
  const millisecond = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const inMinute = second === 60 ? 59_999 : second * 1000 + millisecond;
  const offset = (offsetHour * 60 + offsetMinute) * 60_000 * (parts[8] === '-' ? -1 : 1);
  const instant = midnight(year, month, day) + (hour * 60 + minute) * 60_000 + inMinute - offset;
  return instant < 0 || instant >= midnight(9800, 1, 1) ? undefined : instant;
}

/** RFC 3339 in UTC with `Z`, without trailing zeros in the fraction. */
export function writeInstant(instant: number): string {
  const { year, month, day, sinceMidnight } = calendarDay(instant);
  const two = (count: number): string => String(count).padStart(2, '0');
  const seconds = Math.floor(sinceMidnight / 1000);
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  const fraction = String(sinceMidnight % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '');
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T${clock}${fraction === '' ? '' : `.${fraction}`}Z`;
}
