import { readRetryAfter } from './retry-after.ts';

const nowMs = Date.parse('2026-09-10T00:00:00Z');

describe('Retry-After', () => {
  it.each<[string, string | null, number | undefined]>([
    ['in seconds', '7', 7_000],
    ['at a date', 'Thu, 10 Sep 2026 00:01:00 GMT', 60_000],
    ['at a date that is past', 'Wed, 09 Sep 2026 00:00:00 GMT', 0],
    ['not sent', null, undefined],
    ['empty', '', undefined],
    ['a number that is none of seconds', '-1', undefined],
    ['a date of another form', '2026-09-10T00:01:00Z', undefined],
    ['no date', 'Thu, 99 Sep 2026 99:01:00 GMT', undefined],
  ])('%s', (_, text, waitMs) => {
    expect(readRetryAfter(text, nowMs)).toBe(waitMs);
  });
});
