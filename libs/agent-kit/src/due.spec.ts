import { type Due, dueAtOf, InvalidDueError } from './due.ts';
import type { WorkCalendar } from './work-calendar.ts';

/** A Friday, 13:00 in Berlin. */
const now = Date.parse('2026-03-27T12:00:00Z');
const due = (wanted: Due): string => dueAtOf(wanted, now);
const berlin: WorkCalendar = {
  zone: 'Europe/Berlin',
  holidays: ['2026-04-03', '2026-04-06'],
  hours: { from: '08:00', to: '17:00' },
};
const on = (calendar: object): object => ({
  workdays: 1,
  at: '17:00',
  calendar: { zone: 'Europe/Berlin', ...calendar },
});
const always: WorkCalendar = { zone: 'Europe/Berlin', workdays: [1, 2, 3, 4, 5, 6, 7] };

describe('a due time', () => {
  it('is an instant, written in UTC', () => {
    expect(due('2026-09-10T22:15:00+02:00')).toBe('2026-09-10T20:15:00Z');
    expect(due(new Date('2026-09-10T20:15:00.500Z'))).toBe('2026-09-10T20:15:00.5Z');
  });

  it('is a time from now, or from an instant; a day is 24 hours', () => {
    expect(due({ in: 'PT2H' })).toBe('2026-03-27T14:00:00Z');
    expect(due({ in: 'P3D' })).toBe('2026-03-30T12:00:00Z');
    expect(due({ in: 'PT90M', from: '2026-01-01T00:00:00Z' })).toBe('2026-01-01T01:30:00Z');
  });

  it('is a local time in a zone', () => {
    expect(due({ local: '2026-09-10T17:00', zone: 'Asia/Dubai' })).toBe('2026-09-10T13:00:00Z');
    expect(due({ local: '2026-09-10T17:00', zone: 'America/New_York' })).toBe('2026-09-10T21:00:00Z');
  });

  it('is the later instant where the clocks are put forward over it, unless the earlier is asked for, or none', () => {
    const skipped = { local: '2026-03-29T02:30', zone: 'Europe/Berlin' } as const;
    expect(due(skipped)).toBe('2026-03-29T01:30:00Z');
    expect(due({ ...skipped, disambiguation: 'earlier' })).toBe('2026-03-29T00:30:00Z');
    expect(() => due({ ...skipped, disambiguation: 'reject' })).toThrow(InvalidDueError);
  });

  it('is the later instant where the clocks are put back over it, unless the earlier is asked for, or none', () => {
    const twice = { local: '2026-10-25T02:30', zone: 'Europe/Berlin' } as const;
    expect(due(twice)).toBe('2026-10-25T01:30:00Z');
    expect(due({ ...twice, disambiguation: 'earlier' })).toBe('2026-10-25T00:30:00Z');
    expect(() => due({ ...twice, disambiguation: 'reject' })).toThrow(InvalidDueError);
  });

  it('is so many workdays on, over weekends, holidays and the change of the clocks', () => {
    expect(due({ workdays: 1, at: '17:00', calendar: berlin })).toBe('2026-03-30T15:00:00Z');
    expect(due({ workdays: 5, at: '17:00', calendar: berlin })).toBe('2026-04-07T15:00:00Z');
    expect(due({ workdays: 1, at: '17:00', calendar: { ...berlin, workdays: [7] } })).toBe('2026-03-29T15:00:00Z');
  });

  it('is counted from the day that it is in the zone, not in UTC', () => {
    const from = '2026-03-26T23:30:00Z';
    expect(due({ workdays: 1, at: '09:00', calendar: berlin, from })).toBe('2026-03-30T07:00:00Z');
    expect(due({ workdays: 1, at: '09:00', calendar: { zone: 'UTC' }, from })).toBe('2026-03-27T09:00:00Z');
  });

  it('is of today with no workday on, where that time is still to come', () => {
    expect(due({ workdays: 0, at: '17:00', calendar: berlin })).toBe('2026-03-27T16:00:00Z');
    expect(due({ workdays: 0, at: '09:00', calendar: berlin })).toBe('2026-03-30T07:00:00Z');
  });

  it('is so much working time on: the night, the weekend and holidays do not count', () => {
    expect(due({ workingTime: 'PT2H', calendar: berlin })).toBe('2026-03-27T14:00:00Z');
    expect(due({ workingTime: 'PT4H', calendar: berlin })).toBe('2026-03-27T16:00:00Z');
    expect(due({ workingTime: 'PT5H', calendar: berlin })).toBe('2026-03-30T07:00:00Z');
    expect(due({ workingTime: 'PT41H', calendar: berlin })).toBe('2026-04-07T07:00:00Z');
    expect(due({ workingTime: 'PT0S', calendar: berlin })).toBe('2026-03-27T12:00:00Z');
  });

  it('counts the hours that a day has on which the clocks change', () => {
    const from = '2026-03-28T23:00:00Z';
    expect(due({ workingTime: 'PT23H', calendar: always, from })).toBe('2026-03-29T22:00:00Z');
  });

  it.each<[string, unknown]>([
    ['an instant without an offset', '2026-09-10T20:15:00'],
    ['a date alone', '2026-09-10'],
    ['no date at all', new Date(NaN)],
    ['an instant before 1970', '1969-12-31T23:59:59Z'],
    ['a year past 9800', { in: 'P36600D', from: '9790-01-01T00:00:00Z' }],
    ['a negative duration', { in: '-PT2H' }],
    ['a zone that there is not', { local: '2026-09-10T17:00', zone: 'Europe/Atlantis' }],
    ['a day that there is not', { local: '2026-02-30T17:00', zone: 'UTC' }],
    ['a calendar on which nobody works', { workdays: 1, at: '17:00', calendar: { zone: 'UTC', workdays: [] } }],
    [
      'working hours that end before they begin',
      { workingTime: 'PT1H', calendar: { zone: 'UTC', hours: { from: '17:00', to: '08:00' } } },
    ],
    ['an hour of today with an offset', { workdays: 0, at: '17:00+02:00', calendar: berlin }],
    ['a local time with an offset', { local: '2026-09-10T17:00+02:00', zone: 'Asia/Dubai' }],
    ['a local time in UTC', { local: '2026-09-10T17:00Z', zone: 'Asia/Dubai' }],
    ['a local time in another calendar', { local: '2026-09-10T17:00[u-ca=hebrew]', zone: 'Asia/Dubai' }],
    ['a local time in a leap second', { local: '2026-06-30T23:59:60', zone: 'UTC' }],
    ['a day without a time', { local: '2026-09-10', zone: 'Asia/Dubai' }],
    ['a holiday written otherwise', on({ holidays: ['03.04.2026'] })],
    ['a holiday with a time', on({ holidays: ['2026-04-03T00:00:00Z'] })],
    ['a holiday that is a Date', on({ holidays: [new Date('2026-04-03')] })],
    ['a holiday that there is not', on({ holidays: ['2026-02-30'] })],
    ['holidays that are no list', on({ holidays: '2026-04-03' })],
    ['a Sunday as others count it', on({ workdays: [0, 1, 2, 3, 4] })],
    ['days by their names', on({ workdays: ['Mon'] })],
    ['a calendar with a member that nobody knows', on({ holiday: ['2026-04-03'] })],
    ['hours with a member that nobody knows', on({ hours: { from: '08:00', to: '17:00', until: '18:00' } })],
    [
      'hours in another zone',
      { workingTime: 'PT1H', calendar: { zone: 'UTC', hours: { from: '08:00Z', to: '17:00Z' } } },
    ],
    ['a member that nobody knows', { in: 'PT2H', since: '2026-01-01T00:00:00Z' }],
    ['half a workday', { workdays: 0.5, at: '17:00', calendar: berlin }],
    ['working time in days', { workingTime: 'P1D', calendar: berlin }],
  ])('is refused where it is %s', (_, wanted) => {
    expect(() => due(wanted as Due)).toThrow(InvalidDueError);
  });
});
