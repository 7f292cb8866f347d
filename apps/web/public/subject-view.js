// One subject: its three tracks drawn, the same as a table, and the facts that were reported on it.
import { ApiError, get } from './api.js';
import { basisBadge, badge, certaintyBadges, lapseBadge } from './cells.js';
import { byId, h, replaceIn } from './dom.js';
import { drawTimeline } from './timeline.js';
import { timeElement } from './time.js';

const causes = {
  task_canceled: 'its task was canceled',
  task_failed: 'its task failed',
  task_rejected: 'its task was rejected',
  agent: 'by its agent',
  retired: 'nobody settled it for too long',
};

export class SubjectView {
  constructor(key) {
    this.key = key;
    this.panel = byId('subject');
    this.drawing = h('div', { class: 'drawing' });
    new ResizeObserver(() => this.draw()).observe(this.drawing);
  }

  /** Shows the subject, or what the place is for. */
  async show(subject) {
    const isSame = subject?.type === this.subject?.type && subject?.id === this.subject?.id;
    if (isSame && this.panel.hasChildNodes()) return;
    this.subject = subject;
    this.timeline = undefined;
    if (subject === undefined) {
      replaceIn(
        this.panel,
        h(
          'p',
          { class: 'empty hint' },
          'Select a subject in the list to see what was planned for it, what is due by now, and what happened.',
        ),
      );
      return;
    }
    await this.refresh();
    this.panel.focus({ preventScroll: true });
    if (this.panel.getBoundingClientRect().top > innerHeight * 0.6) this.panel.scrollIntoView();
  }

  /** Asks again; `after` is a position that the answer must have. */
  async refresh(after = undefined) {
    const { subject } = this;
    if (subject === undefined) return;
    const path = `/v1/subjects/${encodeURIComponent(subject.type)}/${encodeURIComponent(subject.id)}/timeline`;
    try {
      const timeline = await get(this.key, path, { after });
      if (subject !== this.subject) return;
      const isSame = this.timeline !== undefined && textOf(timeline) === textOf(this.timeline);
      this.timeline = timeline;
      if (isSame) this.draw();
      else this.render();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) throw error;
      replaceIn(this.panel, this.heading(), h('p', { class: 'empty' }, 'Nothing is recorded on this subject.'));
    }
  }

  render() {
    const { expectations, facts, lapses, isTruncated } = this.timeline;
    const isOpen = this.panel.querySelector('details')?.open ?? false;
    const note = isTruncated
      ? h('p', { class: 'dim small' }, 'More is recorded on it than is shown here; the latest 1,000 of each are.')
      : null;
    replaceIn(
      this.panel,
      this.heading(),
      this.drawing,
      h(
        'p',
        { class: 'legend dim' },
        'Dashed: not certain yet, or never reported. Shaded: grace. Long gaps are drawn shorter than they are.',
      ),
      h(
        'table',
        { class: 'steps' },
        h('caption', { class: 'unseen' }, 'Each step: as planned, as due by now, as it happened'),
        stepsHead(),
        h(
          'tbody',
          {},
          expectations.map((step, index) => stepRow(step, index + 1, lapses)),
        ),
      ),
      facts.length === 0 ? null : factsTable(facts, isOpen),
      note,
    );
    this.draw();
  }

  heading() {
    return h(
      'h2',
      { class: 'subject-heading' },
      h('span', { class: 'subject-type' }, this.subject.type),
      ' ',
      this.subject.id,
    );
  }

  draw() {
    const width = this.drawing.clientWidth;
    if (this.timeline === undefined || width === 0) return;
    replaceIn(this.drawing, drawTimeline(this.timeline, Math.max(width, 320)));
  }
}

/** All but the instant that it was asked at: where that alone is new, a reader is left in peace. */
function textOf(timeline) {
  return JSON.stringify({ ...timeline, asOf: null });
}

function stepsHead() {
  return h(
    'thead',
    {},
    h(
      'tr',
      {},
      ['#', 'Step', 'Planned', 'Due by now', 'Happened'].map((name) => h('th', { scope: 'col' }, name)),
    ),
  );
}

function stepRow(step, number, lapses) {
  const own = lapses.filter(
    ({ agentId, expectationId, taskId }) =>
      agentId === step.agentId && expectationId === step.expectationId && taskId === step.taskId,
  );
  const marks = own.map(({ lapse, basis, lapsedAt }) =>
    h(
      'span',
      { class: 'mark' },
      lapseBadge(lapse),
      basisBadge(basis),
      h('span', { class: 'dim small' }, timeElement(lapsedAt)),
    ),
  );
  const isMoved = step.dueAt !== step.projectedDueAt;
  return h(
    'tr',
    { class: step.status === 'withdrawn' ? 'withdrawn' : null },
    h('td', { class: 'number' }, String(number)),
    h(
      'td',
      {},
      h('div', {}, step.expects),
      h('div', { class: 'dim small' }, step.kind, ' · ', step.agentId),
      marks.length === 0 ? null : h('div', { class: 'marks' }, marks),
    ),
    h('td', { 'data-label': 'Planned' }, timeElement(step.projectedDueAt)),
    h(
      'td',
      { 'data-label': 'Due by now', class: isMoved ? 'moved' : null },
      timeElement(step.dueAt),
      h('div', { class: 'badges' }, certaintyBadges(step)),
    ),
    h('td', { 'data-label': 'Happened' }, happened(step)),
  );
}

function happened(step) {
  if (step.status === 'withdrawn') {
    const why =
      step.withdrawn === 'superseded'
        ? `superseded by ${step.supersededBy ?? 'another'}`
        : (causes[step.withdrawn] ?? step.withdrawn);
    return h(
      'div',
      { class: 'dim small' },
      `withdrawn: ${why}`,
      step.reason === undefined ? null : h('div', {}, `“${step.reason}”`),
    );
  }
  if (step.observedAt === undefined) return h('span', { class: 'dim' }, '—');
  return h(
    'div',
    {},
    timeElement(step.observedAt),
    h(
      'div',
      { class: 'badges' },
      step.late ? badge('late', 'warning') : null,
      h('span', { class: 'dim small' }, step.source),
    ),
  );
}

function factsTable(facts, isOpen) {
  const rows = [...facts]
    .reverse()
    .map(({ factKey, observedAt, source, satisfied }) =>
      h(
        'tr',
        {},
        h('td', {}, timeElement(observedAt)),
        h('td', {}, h('code', {}, factKey)),
        h('td', {}, source),
        h(
          'td',
          { class: 'dim small' },
          satisfied.length === 0
            ? 'nothing waited for it'
            : `satisfied ${satisfied.map(({ expectationId }) => expectationId).join(', ')}`,
        ),
      ),
    );
  const head = h(
    'tr',
    {},
    ['Observed', 'Fact', 'Reported by', ''].map((name) => h('th', { scope: 'col' }, name)),
  );
  return h(
    'details',
    { class: 'facts', open: isOpen },
    h('summary', {}, `${facts.length} ${facts.length === 1 ? 'fact' : 'facts'} reported on it`),
    h('table', {}, h('thead', {}, head), h('tbody', {}, rows)),
  );
}
