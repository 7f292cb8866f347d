// Instants as text: what is taken is what Temporal takes, and one instant has one text.
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { formatInstant, parseInstant } from './instant.ts';

const END_MS = Date.parse('+009800-01-01T00:00:00Z');

/** Texts of which about half are instants, and the rest nearly so. */
const texts = fc
  .record({
    year: fc.oneof(fc.integer({ min: 1960, max: 2100 }), fc.integer({ min: 0, max: 9999 })),
    month: fc.integer({ min: 0, max: 13 }),
    day: fc.integer({ min: 0, max: 32 }),
    separator: fc.constantFrom('T', 'T', 'T', 't', ' ', '', 'X'),
    hour: fc.integer({ min: 0, max: 24 }),
    minute: fc.integer({ min: 0, max: 60 }),
    second: fc.integer({ min: 0, max: 61 }),
    fraction: fc.oneof(fc.constant(''), fc.stringMatching(/^[.,]\d{0,11}$/)),
    offset: fc.oneof(
      fc.constantFrom('Z', 'Z', 'z', '', '+00:00', '-00:00', '+08:30', '-12:00', '+24:00', '+0830', '+08', '+08:60'),
      fc.stringMatching(/^[+-]\d{2}:\d{2}$/),
    ),
    tail: fc.constantFrom('', '', '', '', ' ', 'Z', '[UTC]'),
  })
  .map(({ year, month, day, separator, hour, minute, second, fraction, offset, tail }) => {
    const date = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
    return `${date}${separator}${pad(hour, 2)}:${pad(minute, 2)}:${pad(second, 2)}${fraction}${offset}${tail}`;
  });

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

describe('an instant as text', () => {
  it('that is taken is one that Temporal takes, and the same millisecond', () => {
    let takenCount = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const read = parseInstant(text);
        if (Number.isNaN(read)) return;
        takenCount += 1;
        const isLeapSecond = /:60/.test(text);
        const plain = isLeapSecond ? text.replace(/:60(\.\d+)?/, ':59.999') : text;
        expect({ text, read }).toEqual({ text, read: Temporal.Instant.from(plain).epochMilliseconds });
      }),
      { numRuns: 20_000, seed: 14 },
    );
    expect(takenCount).toBeGreaterThan(500);
  });

  it('that Temporal takes from 1970 on and before 9800 is taken where it is RFC 3339', () => {
    const instants = fc.integer({ min: 0, max: END_MS - 1 });
    const offsets = fc.integer({ min: -1439, max: 1439 });
    fc.assert(
      fc.property(instants, offsets, (epochMs, minutes) => {
        const instant = Temporal.Instant.fromEpochMilliseconds(epochMs);
        const sign = minutes < 0 ? '-' : '+';
        const offset = `${sign}${pad(Math.floor(Math.abs(minutes) / 60), 2)}:${pad(Math.abs(minutes) % 60, 2)}`;
        const text = instant.toString({ timeZone: offset });
        fc.pre(!/^[+-]/.test(text));
        expect({ text, read: parseInstant(text) }).toEqual({ text, read: epochMs });
      }),
      { numRuns: 5_000, seed: 14 },
    );
  });

  it.each([
    ['2026-09-10T20:15:00Z', '2026-09-10T20:15:00Z'],
    ['2026-09-10T20:15:00.000Z', '2026-09-10T20:15:00Z'],
    ['2026-09-10T20:15:00+00:00', '2026-09-10T20:15:00Z'],
    ['2026-09-10T20:15:00-00:00', '2026-09-10T20:15:00Z'],
    ['2026-09-10t20:15:00z', '2026-09-10T20:15:00Z'],
    ['2026-09-11T04:45:00+08:30', '2026-09-10T20:15:00Z'],
    ['2026-09-10T00:15:00.5-23:59', '2026-09-11T00:14:00.5Z'],
    ['2026-09-10T20:15:00.1Z', '2026-09-10T20:15:00.1Z'],
    ['2026-09-10T20:15:00.120Z', '2026-09-10T20:15:00.12Z'],
    ['2026-09-10T20:15:00.123999999Z', '2026-09-10T20:15:00.123Z'],
    ['2026-09-10T20:15:00.000999999Z', '2026-09-10T20:15:00Z'],
    ['2016-12-31T23:59:60Z', '2016-12-31T23:59:59.999Z'],
    ['2026-06-15T23:59:60Z', '2026-06-15T23:59:59.999Z'],
    ['2026-06-15T10:20:60.5+02:00', '2026-06-15T08:20:59.999Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z'],
    ['1969-12-31T23:30:00-00:30', '1970-01-01T00:00:00Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00Z'],
    ['9799-12-31T23:59:59.999Z', '9799-12-31T23:59:59.999Z'],
  ])('%s is written %s', (text, canonical) => {
    expect(formatInstant(parseInstant(text))).toBe(canonical);
  });

  it.each([
    ['hour 24', '2026-09-10T24:00:00Z'],
    ['a fraction without digits', '2026-09-10T20:15:00.Z'],
    ['ten digits of fraction', '2026-09-10T20:15:00.1234567890Z'],
    ['a comma in the fraction', '2026-09-10T20:15:00,5Z'],
    ['a space for T', '2026-09-10 20:15:00Z'],
    ['an underscore for T', '2026-09-10_20:15:00Z'],
    ['no offset', '2026-09-10T20:15:00'],
    ['no offset after a fraction', '2026-09-10T20:15:00.123'],
    ['no second', '2026-09-10T20:15Z'],
    ['second 61', '2026-09-10T20:15:61Z'],
    ['minute 60', '2026-09-10T20:60:00Z'],
    ['month 13', '2026-13-10T20:15:00Z'],
    ['month 0', '2026-00-10T20:15:00Z'],
    ['day 0', '2026-09-00T20:15:00Z'],
    ['a day that the month has not', '2026-09-31T20:15:00Z'],
    ['29 February of a plain year', '2026-02-29T20:15:00Z'],
    ['29 February of a century', '2100-02-29T20:15:00Z'],
    ['an offset without a colon', '2026-09-10T20:15:00+0830'],
    ['an offset of hours', '2026-09-10T20:15:00+08'],
    ['an offset of 24 hours', '2026-09-10T20:15:00+24:00'],
    ['an offset with 60 minutes', '2026-09-10T20:15:00+08:60'],
    ['a minus of typography', '2026-09-10T20:15:00−08:00'],
    ['other digits', '２０２６-09-10T20:15:00Z'],
    ['a sign in a field', '2026-09-10T20:15:+1Z'],
    ['a year with a sign', '+002026-09-10T20:15:00Z'],
    ['a zone in brackets', '2026-09-10T20:15:00Z[UTC]'],
    ['a space before', ' 2026-09-10T20:15:00Z'],
    ['a space after', '2026-09-10T20:15:00Z '],
    ['a date', '2026-09-10'],
    ['an instant before 1970', '1969-12-31T23:59:59.999Z'],
    ['an instant before 1970 by its offset', '1970-01-01T00:00:00+00:01'],
    ['the year 9800', '9800-01-01T00:00:00Z'],
    ['nothing', ''],
    ['a number', 1_789_094_460],
    ['null', null],
    ['an object that would be a text', { toString: () => '2026-09-10T20:15:00Z' }],
  ])('%s is malformed', (_what, text) => {
    expect(parseInstant(text)).toBeNaN();
  });
});

describe('an instant written', () => {
  it('is in UTC with Z, without trailing zeros, and reads as itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: END_MS - 1 }), (epochMs) => {
        const text = formatInstant(epochMs);
        expect(text).toBe(Temporal.Instant.fromEpochMilliseconds(epochMs).toString());
        expect(parseInstant(text)).toBe(epochMs);
      }),
      { numRuns: 5_000, seed: 14 },
    );
  });
});
