// ISO 8601 durations (semantics, *Durations*): a strict pattern, the calendar through Temporal, cached by text.
import { Temporal } from 'temporal-polyfill';

/** Calendar months (years are twelve), added first, then milliseconds. */
export interface Duration {
  readonly text: string;
  readonly months: number;
  readonly ms: number;
}

const DAY_MS = 86_400_000;
const SHORTEST_MONTH_MS = 28 * DAY_MS;
/** The form of a duration, without its bound: also for schemas. */
export const DURATION_PATTERN =
  /^P(?=[\dT])(?:\d{1,9}Y)?(?:\d{1,9}M)?(?:\d{1,9}W)?(?:\d{1,9}D)?(?:T(?=\d)(?:\d{1,9}(?:[.,]\d{1,9}(?=H$))?H)?(?:\d{1,9}(?:[.,]\d{1,9}(?=M$))?M)?(?:\d{1,9}(?:[.,]\d{1,9})?S)?)?$/;
/** Over so many days, a year counted as 366 and a month as 31, it is malformed. */
const LONGEST_DAYS = 36_600;
const CACHE_SIZE = 4_096;

const cache = new Map<string, Duration | undefined>();

/** Reads a duration; undefined where it is malformed. Not negative, not empty; a fraction only on the smallest time unit. */
export function parseDuration(text: unknown): Duration | undefined {
  if (typeof text !== 'string' || text.length > 100) return undefined;
  if (cache.has(text)) return cache.get(text);
  const duration = DURATION_PATTERN.test(text) ? measure(text) : undefined;
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(text, duration);
  return duration;
}

/** The instant a duration after another, both in epoch milliseconds; a shorter month gives its last day. */
export function addDuration(atMs: number, duration: Duration): number {
  if (duration.months === 0) return atMs + duration.ms;
  const start = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO('UTC');
  return start.add({ months: duration.months }).epochMilliseconds + duration.ms;
}

/** Strictly: the instant after such a period has passed. Instants in epoch milliseconds; never over since Infinity. */
export function isOver(sinceMs: number, period: Duration, nowMs: number): boolean {
  const earliest = sinceMs + period.months * SHORTEST_MONTH_MS + period.ms;
  return earliest < nowMs && (period.months === 0 || addDuration(sinceMs, period) < nowMs);
}

function measure(text: string): Duration | undefined {
  const { years, months, weeks, days, hours, minutes, seconds, milliseconds } = Temporal.Duration.from(text);
  const timeMs = hours * 3_600_000 + minutes * 60_000 + seconds * 1000 + milliseconds;
  const longestMs = (years * 366 + months * 31 + weeks * 7 + days) * DAY_MS + timeMs;
  if (longestMs > LONGEST_DAYS * DAY_MS) return undefined;
  return { text, months: years * 12 + months, ms: (weeks * 7 + days) * DAY_MS + timeMs };
}
