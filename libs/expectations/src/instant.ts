// Instants as text and as epoch milliseconds. Text is read by a strict pattern, never by a lenient library.

const DAY_MS = 86_400_000;
const PLUS = 43;
const DASH = 45;
const POINT = 46;
const COLON = 58;
const SMALL_T = 116;
const SMALL_Z = 122;
/** The bit that makes a letter small. */
const LOWER = 32;
/** 9800-01-01T00:00:00Z: from here on an instant is malformed (semantics, *Time*). */
const END_MS = 247_090_953_600_000;

/**
 * Reads an RFC 3339 instant (semantics, *Instants*): `T` and `Z` in either case, 1 to 9 digits of fraction, an
 * offset required. Returns epoch milliseconds, finer digits cut, or NaN where it is malformed.
 */
export function parseInstant(text: unknown): number {
  if (typeof text !== 'string' || text.length < 20) return NaN;
  if (text === lastText) return lastMs;
  const year = digits(text, 0, 4);
  const month = digits(text, 5, 2);
  const day = digits(text, 8, 2);
  const hour = digits(text, 11, 2);
  const minute = digits(text, 14, 2);
  const second = digits(text, 17, 2);
  const hasDashes = text.charCodeAt(4) === DASH && text.charCodeAt(7) === DASH;
  const hasColons = text.charCodeAt(13) === COLON && text.charCodeAt(16) === COLON;
  if (!hasDashes || !hasColons || (text.charCodeAt(10) | LOWER) !== SMALL_T) return NaN;
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return NaN;
  if (!(year >= 0 && hour >= 0 && hour <= 23 && minute >= 0 && minute <= 59 && second >= 0 && second <= 60)) return NaN;
  const fractionEnd = endOfFraction(text);
  const offsetMinutes = parseOffset(text, fractionEnd);
  const millisecond = second === 60 ? 59_999 : second * 1000 + milliseconds(text, fractionEnd);
  const epoch = daysFromCivil(year, month, day) * DAY_MS + (hour * 60 + minute - offsetMinutes) * 60_000 + millisecond;
  return epoch >= 0 && epoch < END_MS ? epoch : NaN;
}

/** Writes epoch milliseconds in UTC with `Z`, without trailing zeros in the fraction. */
export function formatInstant(epochMs: number): string {
  if (epochMs === lastMs) return lastText;
  const days = Math.floor(epochMs / DAY_MS);
  const ofDay = epochMs - days * DAY_MS;
  if (days !== lastDays) {
    lastDays = days;
    lastDate = formatDate(days);
  }
  const seconds = Math.floor(ofDay / 1000);
  const minutes = Math.floor(seconds / 60);
  const time = `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}`;
  const fraction = ofDay - seconds * 1000;
  const fractionText = fraction === 0 ? '' : '.' + String(fraction).padStart(3, '0').replace(/0+$/, '');
  lastText = `${lastDate}T${time}${fractionText}Z`;
  lastMs = epochMs;
  return lastText;
}

// What was formatted last: most instants of a batch are one instant, or at least of one day; and it is read back soon.
let lastMs = NaN;
let lastText = '';
let lastDays = NaN;
let lastDate = '';

const twoDigits = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'));

function two(value: number): string {
  return twoDigits[value] ?? String(value);
}

/** `length` decimal digits from `start`, or -1. */
function digits(text: string, start: number, length: number): number {
  let value = 0;
  for (let index = start; index < start + length; index += 1) {
    const digit = text.charCodeAt(index) - 48;
    if (!(digit >= 0 && digit <= 9)) return -1;
    value = value * 10 + digit;
  }
  return value;
}

/** Where the offset starts: 19 without a fraction, -1 where the fraction is malformed. */
function endOfFraction(text: string): number {
  if (text.charCodeAt(19) !== POINT) return 19;
  let end = 20;
  while (end < text.length && text.charCodeAt(end) >= 48 && text.charCodeAt(end) <= 57) end += 1;
  return end === 20 || end > 29 ? -1 : end;
}

function milliseconds(text: string, fractionEnd: number): number {
  if (fractionEnd <= 19) return 0;
  const kept = Math.min(3, fractionEnd - 20);
  return digits(text, 20, kept) * (kept === 1 ? 100 : kept === 2 ? 10 : 1);
}

/** The offset in minutes east, or NaN. */
function parseOffset(text: string, start: number): number {
  if (start < 0) return NaN;
  const sign = text.charCodeAt(start);
  if ((sign | LOWER) === SMALL_Z) return text.length === start + 1 ? 0 : NaN;
  if ((sign !== PLUS && sign !== DASH) || text.length !== start + 6 || text.charCodeAt(start + 3) !== COLON) return NaN;
  const hours = digits(text, start + 1, 2);
  const minutes = digits(text, start + 4, 2);
  if (!(hours >= 0 && hours <= 23 && minutes >= 0 && minutes <= 59)) return NaN;
  return (sign === PLUS ? 1 : -1) * (hours * 60 + minutes);
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Days from 1970-01-01 of a proleptic Gregorian date; eras of 400 years start on 1 March. */
function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The inverse of `daysFromCivil`, as `YYYY-MM-DD`. */
function formatDate(days: number): string {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const monthIndex = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * monthIndex + 2) / 5) + 1;
  const month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  return `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
}
