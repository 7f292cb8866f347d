// The five lists: what each asks the API, its columns, and what to do where it is empty.
import { basisBadge, badge, certaintyBadges, dispatchCell, expectedCell, graceText, lapseBadge } from './cells.js';
import { h } from './dom.js';
import { quarantinedList } from './quarantine.js';
import { aboutMs, timeElement, timeWithDistance } from './time.js';

const statusBadges = {
  satisfied: () => badge('happened late', 'status-satisfied', 'It was satisfied after it had lapsed.'),
  withdrawn: () => badge('withdrawn', 'quiet'),
};

const tellings = {
  told: 'its agent was told',
  unknown: 'its agent may have been told',
  dropped: 'its agent is not told',
};

export const lists = [
  {
    name: 'open',
    label: 'Open',
    count: (overview) => overview.open,
    title: 'What is expected, soonest due first',
    path: '/v1/expectations',
    parameters: { status: 'open', order: 'due' },
    searches: true,
    key: (item) => `${item.agentId}\n${item.expectationId}`,
    columns: ['Expected', 'Due', 'Basis and state'],
    cells: (item) => [
      expectedCell(item),
      h('div', { class: dueClass(item) }, timeWithDistance(item.dueAt, graceText(item.grace))),
      h(
        'div',
        { class: 'badges' },
        basisBadge(item.basis),
        item.lapses.map(({ lapse }) => lapseBadge(lapse)),
        isInGrace(item) ? badge('in its grace', 'warning', 'It is due, and has a while left.') : null,
        certaintyBadges(item),
      ),
    ],
    empty: [
      'Nothing is open.',
      'Expectations appear here as agents raise them. Register an agent with PUT /v1/agents/{agentId}, then report its tasks to POST /v1/observations.',
    ],
  },
  {
    name: 'lapsed',
    label: 'Lapsed and open',
    note: ({ undelivered }) =>
      undelivered.count === 0 ? '' : `${undelivered.count}${undelivered.isMore ? '+' : ''} undelivered`,
    count: (overview) => overview.lapsed,
    title: 'All that lapsed, the latest first',
    path: '/v1/lapses',
    parameters: {},
    key: (item) => `${item.agentId}\n${item.messageId}`,
    columns: ['What did not happen', 'Lapsed', 'How, on what basis', 'The agent’s task'],
    cells: (item) => [
      expectedCell(item),
      timeWithDistance(item.lapsedAt),
      h('div', { class: 'badges' }, lapseBadge(item.lapse), basisBadge(item.basis)),
      h('div', { class: 'badges' }, dispatchCell(item.dispatch), statusBadges[item.status]?.()),
    ],
    empty: [
      'Nothing has lapsed.',
      'When something expected does not happen, it appears here and goes to its agent as a task.',
    ],
  },
  {
    name: 'refused',
    label: 'Refused',
    count: (overview) => overview.refused,
    title: 'What was not recorded, and why',
    path: '/v1/refusals',
    parameters: {},
    key: (item) => `${item.refusedAt}\n${item.expectationId ?? item.factKey}\n${item.message}`,
    columns: ['When', 'What', 'Why'],
    cells: (item) => [
      timeWithDistance(item.refusedAt),
      h(
        'div',
        {},
        h(
          'div',
          {},
          item.refused === 'fact' ? 'Fact ' : 'Expectation ',
          h('code', {}, item.expectationId ?? item.factKey ?? 'without a name'),
        ),
        h('div', { class: 'dim small' }, item.agentId ?? item.source),
      ),
      h(
        'div',
        {},
        badge(item.code, 'warning'),
        h('div', { class: 'small' }, item.message),
        item.telling &&
          h('div', { class: 'dim small', title: item.telling.cause ?? '' }, tellings[item.telling.outcome]),
      ),
    ],
    empty: [
      'Nothing was refused.',
      'An expectation or a fact that cannot be recorded appears here, with what to change.',
    ],
  },
  {
    name: 'silent',
    label: 'Cannot lapse',
    count: (overview) => overview.nothingWillLapse,
    title: 'Open, and nothing will be said any more',
    path: '/v1/expectations',
    parameters: { status: 'open', nothingWillLapse: 'true' },
    searches: true,
    key: (item) => `${item.agentId}\n${item.expectationId}`,
    columns: ['Expected', 'Waits behind', 'Why nothing will be said'],
    cells: (item) => [
      expectedCell(item),
      item.anchor === undefined ? '' : h('code', {}, item.anchor.expectationId),
      h('div', { class: 'small' }, whySilent(item)),
    ],
    empty: [
      'Every open expectation can still lapse.',
      'One that waits behind a lapsed step, without a horizon of its own, would appear here: nothing would be said about it until that step is settled.',
    ],
  },
  quarantinedList,
];

function whySilent({ horizon, lapses }) {
  if (horizon === undefined) return 'It has no horizon. The agent can raise it again with one.';
  if (lapses.some(({ lapse }) => lapse === 'stalled')) return 'It has stalled already.';
  return h('span', {}, 'Its horizon is past: ', timeElement(horizon));
}

function dueClass(item) {
  return [isUncertain(item) ? 'uncertain' : '', item.lapses.length > 0 || isInGrace(item) ? 'past' : ''].join(' ');
}

function isInGrace({ dueAt, grace, suspended, lapses }) {
  const due = Date.parse(dueAt);
  return !suspended && lapses.length === 0 && due < Date.now() && Date.now() < due + aboutMs(grace);
}

function isUncertain({ anchor, reanchoredAt, suspended }) {
  return suspended || (anchor !== undefined && reanchoredAt === undefined);
}
