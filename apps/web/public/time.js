// Instants for people: in their own time, in UTC on hover, and how far away they are.
import { h } from './dom.js';

const time = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const timeWithSeconds = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'always', style: 'short' });

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
];

/** `14:05`; with seconds where it is within ten minutes of now. */
export function clockText(instant, now = Date.now()) {
  return (Math.abs(new Date(instant) - now) < 600_000 ? timeWithSeconds : time).format(new Date(instant));
}

/** `Tue, 1 Sept`, or nothing where it is today. */
export function dayText(instant, now = Date.now()) {
  const at = new Date(instant);
  if (at.toDateString() === new Date(now).toDateString()) return '';
  return (Math.abs(at - now) < 300 * 86_400_000 ? day : dayOfYear).format(at);
}

/** Both in a line. */
export function localText(instant) {
  return [dayText(instant), clockText(instant)].filter((text) => text !== '').join(', ');
}

export function utcText(instant) {
  return `${new Date(instant)
    .toISOString()
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '')} UTC`;
}

/** `in 5 min.`, `3 hr. ago`. */
export function distanceText(instant, now = Date.now()) {
  const ms = new Date(instant) - now;
  const [unit, unitMs] = units.find(([, each]) => Math.abs(ms) >= each) ?? units.at(-1);
  return relative.format(Math.trunc(ms / unitMs), unit);
}

/** A `time` element: the clock, and the day below it where it is another. */
export function timeElement(instant) {
  const otherDay = dayText(instant);
  return h(
    'time',
    { datetime: instant, title: utcText(instant) },
    clockText(instant),
    otherDay === '' ? null : h('span', { class: 'day' }, otherDay),
  );
}

/** With how far it is away, kept up to date by `keepDistances`, and what else there is to say of it. */
export function timeWithDistance(instant, note = '') {
  const distance = h('span', { class: 'distance', 'data-instant': instant }, distanceText(instant));
  return h('div', { class: 'when' }, timeElement(instant), h('div', { class: 'dim small' }, distance, ' ', note));
}

/** Renews every distance on the page, now and then. */
export function keepDistances() {
  setInterval(() => {
    for (const element of document.querySelectorAll('[data-instant]')) {
      element.textContent = distanceText(element.dataset.instant);
    }
  }, 5_000);
}

const part =
  /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/;

/** About how many milliseconds an ISO 8601 duration has: enough to draw it. */
export function aboutMs(duration) {
  const parts = part.exec(duration);
  if (parts === null) return 0;
  const [years, months, weeks, days, hours, minutes, seconds] = parts
    .slice(1)
    .map((text) => Number((text ?? '0').replace(',', '.')));
  return ((((years * 365 + months * 30 + weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

/** `PT2H` as `2 h`, `P1DT12H` as `1 d 12 h`. */
export function durationText(duration) {
  const [date = '', clock = ''] = duration.slice(1).split('T');
  const names = (text, units) =>
    [...text.matchAll(/([\d.,]+)([A-Z])/g)].map(([, count, unit]) => `${count} ${units[unit]}`);
  return [...names(date, { Y: 'y', M: 'mo', W: 'wk', D: 'd' }), ...names(clock, { H: 'h', M: 'min', S: 's' })].join(
    ' ',
  );
}
