// Durations: a strict pattern, and the calendar as Temporal has it.
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { addDuration, isOver, parseDuration } from './duration.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

function after(start: string, text: string): string {
  const duration = parseDuration(text);
  if (duration === undefined) return 'malformed';
  return new Date(addDuration(Date.parse(start), duration)).toISOString();
}

describe('a duration', () => {
  it.each([
    ['PT0S', 0],
    ['PT36H', 36 * HOUR_MS],
    ['P1DT12H', 36 * HOUR_MS],
    ['P2W', 14 * DAY_MS],
    ['P1W2DT3H4M5S', 9 * DAY_MS + 3 * HOUR_MS + 4 * 60_000 + 5000],
    ['PT1.5H', 1.5 * HOUR_MS],
    ['PT1,25M', 75_000],
    ['PT0,5S', 500],
    ['PT0.0015S', 1],
    ['PT0.0004S', 0],
    ['PT999999999S', 999_999_999_000],
    ['P36600D', 36_600 * DAY_MS],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toEqual({ text, months: 0, ms });
  });

  it.each([
    ['P1M', 1, 0],
    ['P1Y2M', 14, 0],
    ['P1Y1DT1H', 12, 25 * HOUR_MS],
    ['P100Y', 1200, 0],
    ['P1180M', 1180, 0],
  ])('%s is %d months and %d ms', (text, months, ms) => {
    expect(parseDuration(text)).toEqual({ text, months, ms });
  });

  it.each([
    ...['P', 'PT', 'P1S', 'P-1D', '-P1D', '+P1D', '-PT1H', 'PT-1H', 'P1.5DT2H', 'P1.5D', 'P0.5Y', 'pt1h', 'API'],
    ...['PT1H30', '', 'P1DT', 'PT1.5H2M', 'PT1.5M2S', 'PT1M1H', 'P1D1W', 'P1M1Y', 'P1Y1Y', 'PT1.S', 'PT.5S', 'PT1H '],
    ...[' PT1H', 'P1H', 'PT1D', 'PT1W', 'P1Y 2M', 'PT1234567890S', 'PT0.1234567890S', 'P１D', 'PT1H\n'],
    ...['P36600DT1S', 'P36601D', 'P101Y', 'P100YT0.001S', 'P1181M', 'P5229W', `PT0${'0'.repeat(100)}S`],
    ...[3600, null, undefined, {}, ['PT1H']],
  ])('%p is malformed', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  it('is read alike however many others are read between', () => {
    const before = parseDuration('P1Y2M3DT4H');
    const misread: number[] = [];
    for (let seconds = 0; seconds < 5_000; seconds += 1) {
      const isRead = parseDuration(`PT${seconds}S`)?.ms === seconds * 1000;
      if (!isRead || parseDuration(`P${seconds}S`) !== undefined) misread.push(seconds);
    }
    expect(misread).toEqual([]);
    expect(parseDuration('P1Y2M3DT4H')).toEqual(before);
  });
});

describe('a duration after an instant', () => {
  it.each([
    ['2027-01-31T10:00:00Z', 'P1M', '2027-02-28T10:00:00.000Z'],
    ['2028-01-31T10:00:00Z', 'P1M', '2028-02-29T10:00:00.000Z'],
    ['2028-02-29T10:00:00Z', 'P1Y', '2029-02-28T10:00:00.000Z'],
    ['2027-01-31T10:00:00Z', 'P1M1D', '2027-03-01T10:00:00.000Z'],
    ['2027-01-31T10:00:00Z', 'P1MT24H', '2027-03-01T10:00:00.000Z'],
    ['2026-03-28T10:00:00Z', 'P1D', '2026-03-29T10:00:00.000Z'],
    ['2026-10-31T23:59:59.999Z', 'P1Y1MT0.001S', '2027-12-01T00:00:00.000Z'],
  ])('%s and %s is %s', (start, text, end) => {
    expect(after(start, text)).toBe(end);
  });

  it('is where Temporal puts it, in UTC', () => {
    const counts = fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined });
    const texts = fc
      .record({ Y: counts, M: counts, W: counts, D: counts, H: counts, min: counts, S: counts })
      .map(({ Y, M, W, D, H, min, S }) => {
        const part = (count: number | undefined, unit: string): string =>
          count === undefined ? '' : `${count}${unit}`;
        const time = part(H, 'H') + part(min, 'M') + part(S, 'S');
        return `P${part(Y, 'Y')}${part(M, 'M')}${part(W, 'W')}${part(D, 'D')}${time === '' ? '' : `T${time}`}`;
      });
    const starts = fc.integer({ min: 0, max: Date.parse('+009000-01-01T00:00:00Z') });
    fc.assert(
      fc.property(texts, starts, (text, startMs) => {
        const duration = parseDuration(text);
        if (duration === undefined) {
          expect(text).toBe('P');
          return;
        }
        const start = Temporal.Instant.fromEpochMilliseconds(startMs).toZonedDateTimeISO('UTC');
        expect(addDuration(startMs, duration)).toBe(start.add(text).epochMilliseconds);
      }),
      { numRuns: 1_000, seed: 13 },
    );
  });
});

describe('a period', () => {
  const since = Date.parse('2027-01-31T10:00:00Z');

  it.each([
    ['PT1H', since + HOUR_MS],
    ['P1M', Date.parse('2027-02-28T10:00:00Z')],
    ['P1MT1H', Date.parse('2027-02-28T11:00:00Z')],
    ['PT0S', since],
  ])('of %s is over strictly after its end', (text, endMs) => {
    const period = parseDuration(text)!;
    expect([-1, 0, 1].map((ms) => isOver(since, period, endMs + ms))).toEqual([false, false, true]);
  });

  it('that never began is never over', () => {
    expect(isOver(Infinity, parseDuration('P1M')!, since)).toBe(false);
  });
});
