// The three tracks (§9.3): the plan as raised, faint and above; what is due by now; what happened, solid below. A step
// that was passed over leaves a hole in what happened. It draws nothing it was not told.
import { s } from './dom.js';
import { aboutMs, clockText, dayText, localText, utcText } from './time.js';
import { makeScale, withRoom } from './time-scale.js';

const LEFT = 108;
const RIGHT = 44;
const Y = { projected: 46, current: 92, actual: 138, lapses: 178 };
const RADIUS = 9;

export function drawTimeline(timeline, width) {
  const steps = timeline.expectations.map((step, index) => ({ ...step, number: index + 1 }));
  const now = timeline.asOf === null ? Date.now() : Date.parse(timeline.asOf);
  const x = makeScale(instantsOf(timeline, now), LEFT, width - RIGHT);
  const hasLapses = timeline.lapses.length > 0;
  const bottom = hasLapses ? Y.lapses + 16 : Y.actual + 22;
  const live = steps.filter(({ status }) => status !== 'withdrawn');
  return s(
    'svg',
    {
      class: 'timeline',
      width,
      height: bottom + 42,
      viewBox: `0 0 ${width} ${bottom + 42}`,
      role: 'img',
      'aria-label': describe(timeline),
    },
    trackNames(hasLapses),
    drawNow(x(now), bottom, Math.abs(Date.now() - now) < 120_000 ? 'now' : 'as of'),
    timeline.expectations.flatMap(({ horizon, status }) =>
      horizon === undefined || status !== 'open' ? [] : [drawHorizon(x(Date.parse(horizon)), bottom)],
    ),
    s('path', {
      class: 'projected-line',
      d: through(
        steps.map(({ projectedDueAt }) => x(Date.parse(projectedDueAt))),
        Y.projected,
      ),
    }),
    drawCurrentLine(live, x),
    drawActualLine(timeline, steps, x, now),
    live.map((step) => drawLinks(step, x)),
    steps.map((step) => drawProjected(step, x)),
    live.map((step) => drawCurrent(step, x)),
    steps.map((step) => drawActual(step, timeline.lapses, x)),
    timeline.facts
      .filter(({ satisfied }) => satisfied.length === 0)
      .map(({ observedAt, factKey }) => drawFact(x(Date.parse(observedAt)), factKey, observedAt)),
    drawLapses(timeline.lapses, x),
    drawAxis(timeline, x, bottom, now),
  );
}

function instantsOf({ expectations, facts, lapses }, now) {
  const due = expectations.flatMap(({ projectedDueAt, dueAt, observedAt, horizon, status, grace }) => [
    Date.parse(projectedDueAt),
    Date.parse(dueAt),
    ...(status === 'open' ? [Date.parse(dueAt) + aboutMs(grace)] : []),
    ...(observedAt === undefined ? [] : [Date.parse(observedAt)]),
    ...(horizon === undefined || status !== 'open' ? [] : [Date.parse(horizon)]),
  ]);
  return [
    ...due,
    ...facts.map(({ observedAt }) => Date.parse(observedAt)),
    ...lapses.map(({ lapsedAt }) => Date.parse(lapsedAt)),
    now,
  ];
}

function trackNames(hasLapses) {
  const names = [
    ['Planned', Y.projected],
    ['Due by now', Y.current],
    ['Happened', Y.actual],
    ...(hasLapses ? [['Lapsed', Y.lapses]] : []),
  ];
  return names.map(([name, y]) => s('text', { class: 'track-name', x: 0, y: y + 4 }, name));
}

function drawNow(x, bottom, name) {
  return s(
    'g',
    { class: 'now' },
    s('line', { x1: x, x2: x, y1: 20, y2: bottom }),
    s('text', { x, y: 13, 'text-anchor': 'middle' }, name),
  );
}

function drawHorizon(x, bottom) {
  return s(
    'g',
    { class: 'horizon' },
    s('line', { x1: x, x2: x, y1: 20, y2: bottom }),
    s('text', { x, y: 13, 'text-anchor': 'middle' }, 'horizon'),
  );
}

function drawCurrentLine(steps, x) {
  const places = steps.map(({ dueAt }) => x(Date.parse(dueAt)));
  const graces = steps
    .filter(({ status }) => status === 'open')
    .map(({ dueAt, grace }) => {
      const from = x(Date.parse(dueAt));
      return s('rect', {
        class: 'grace',
        x: from,
        y: Y.current - 4,
        width: Math.max(0, x(Date.parse(dueAt) + aboutMs(grace)) - from),
        height: 8,
        rx: 4,
      });
    });
  return s('g', {}, s('path', { class: 'current-line', d: through(places, Y.current) }), graces);
}

/** Solid from the first to the last that happened, broken where a step was passed over; thin from there to now: silence. */
function drawActualLine({ facts }, steps, x, now) {
  const happened = [
    ...steps.flatMap(({ observedAt }) => observedAt ?? []),
    ...facts.map(({ observedAt }) => observedAt),
  ].map((at) => x(Date.parse(at)));
  if (happened.length === 0) return null;
  const passedOver = steps.filter(isHole).filter(({ lapses }) => lapses.some(({ lapse }) => lapse === 'skipped'));
  const first = Math.min(...happened, ...passedOver.map(({ dueAt }) => x(Date.parse(dueAt)) - RADIUS - 14));
  const last = Math.max(...happened);
  const holes = steps
    .filter(isHole)
    .map(({ dueAt }) => x(Date.parse(dueAt)))
    .filter((hole) => hole > first && hole < last)
    .sort((one, other) => one - other);
  const ends = [first, ...holes.flatMap((hole) => [hole - RADIUS - 4, hole + RADIUS + 4]), last];
  const pieces = [];
  for (let index = 0; index < ends.length; index += 2) {
    if (ends[index + 1] > ends[index]) pieces.push(`M${ends[index]} ${Y.actual}H${ends[index + 1]}`);
  }
  return s(
    'g',
    {},
    s('path', { class: 'silence', d: `M${last} ${Y.actual}H${Math.max(last, x(now))}` }),
    s('path', { class: 'actual-line', d: pieces.join('') }),
  );
}

/** A step whose place is passed: skipped, or late beyond its grace, and not reported since. */
function isHole({ status, lapses }) {
  return status === 'open' && lapses.length > 0;
}

/** From the plan to what is due, and on to what happened: the lean of the line is the slip. */
function drawLinks(step, x) {
  const planned = x(Date.parse(step.projectedDueAt));
  const due = x(Date.parse(step.dueAt));
  const happened = step.observedAt === undefined ? null : x(Date.parse(step.observedAt));
  return s(
    'g',
    { class: `link${isUncertain(step) ? ' uncertain' : ''}` },
    s('line', { x1: planned, y1: Y.projected, x2: due, y2: Y.current }),
    happened === null ? null : s('line', { x1: due, y1: Y.current, x2: happened, y2: Y.actual }),
  );
}

function drawProjected(step, x) {
  const gone = step.status === 'withdrawn' ? ' gone' : '';
  return numbered(
    `projected${gone}`,
    x(Date.parse(step.projectedDueAt)),
    Y.projected,
    step,
    `planned for ${both(step.projectedDueAt)}`,
  );
}

function drawCurrent(step, x) {
  const uncertain = isUncertain(step) ? ' uncertain' : '';
  const title = `${uncertain === '' ? 'due' : 'expected, not yet certain,'} ${both(step.dueAt)}`;
  return numbered(`current${uncertain}`, x(Date.parse(step.dueAt)), Y.current, step, title);
}

function drawActual(step, lapses, x) {
  if (step.observedAt !== undefined) {
    return numbered(
      `actual${step.late ? ' late' : ''}`,
      x(Date.parse(step.observedAt)),
      Y.actual,
      step,
      `happened ${both(step.observedAt)}${step.late ? ', late' : ''}`,
    );
  }
  if (!isHole(step)) return null;
  const kinds = lapses
    .filter(({ agentId, expectationId }) => agentId === step.agentId && expectationId === step.expectationId)
    .map(({ lapse }) => lapse);
  const kind = kinds.includes('skipped') ? 'skipped' : (kinds.at(-1) ?? 'overdue');
  return numbered(`hole ${kind}`, x(Date.parse(step.dueAt)), Y.actual, step, `not reported: ${kinds.join(', ')}`);
}

function drawFact(x, factKey, observedAt) {
  return s(
    'line',
    { class: 'fact', x1: x, x2: x, y1: Y.actual - 6, y2: Y.actual + 6 },
    s('title', {}, `${factKey}: ${both(observedAt)}`),
  );
}

function drawLapses(lapses, x) {
  const marks = lapses
    .map((lapse) => ({ ...lapse, x: x(Date.parse(lapse.lapsedAt)) }))
    .sort((one, other) => one.x - other.x);
  const labelled = new Set(withRoom(marks, 72));
  return marks.map((mark) =>
    s(
      'g',
      { class: `lapse ${mark.lapse}` },
      s('path', { d: `M${mark.x} ${Y.lapses - 6}l6 6l-6 6l-6 -6z` }),
      labelled.has(mark) ? s('text', { x: mark.x, y: Y.lapses + 19, 'text-anchor': 'middle' }, mark.lapse) : null,
      s('title', {}, `${mark.lapse}: ${mark.expects} (basis ${mark.basis ?? 'unknown'}), ${both(mark.lapsedAt)}`),
    ),
  );
}

function drawAxis({ expectations, facts, lapses }, x, bottom, now) {
  const instants = instantsOf({ expectations, facts, lapses }, now).sort((one, other) => one - other);
  const labels = withRoom(
    instants.map((instant) => ({ x: x(instant), instant })),
    78,
  );
  let lastDay;
  return labels.map(({ x: place, instant }) => {
    const ofDay = dayText(instant) || 'today';
    const day = ofDay === lastDay ? null : s('tspan', { x: place, dy: 14 }, ofDay);
    lastDay = ofDay;
    return s(
      'text',
      { x: place, y: bottom + 22, 'text-anchor': 'middle' },
      clockText(instant),
      day,
      s('title', {}, utcText(instant)),
    );
  });
}

function numbered(kind, x, y, step, title) {
  return s(
    'g',
    { class: `point ${kind}` },
    s('circle', { cx: x, cy: y, r: RADIUS }),
    s('text', { x, y: y + 3.5, 'text-anchor': 'middle' }, String(step.number)),
    s('title', {}, `${step.expects}: ${title}`),
  );
}

/** §13.3: an anchored expectation whose anchor is not satisfied is less certain than one whose time is fixed. */
function isUncertain({ anchor, reanchoredAt, status }) {
  return status === 'open' && anchor !== undefined && reanchoredAt === undefined;
}

function through(places, y) {
  return places.length < 2 ? '' : `M${Math.min(...places)} ${y}H${Math.max(...places)}`;
}

function both(instant) {
  return `${localText(instant)} (${utcText(instant)})`;
}

function describe({ subject, expectations, lapses }) {
  const happened = expectations.filter(({ status }) => status === 'satisfied').length;
  return `Timeline of ${subject.type} ${subject.id}: ${expectations.length} steps, ${happened} happened, ${lapses.length} lapses. The table below says the same.`;
}
