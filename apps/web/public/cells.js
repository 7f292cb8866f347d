// What the tables are made of: badges, subjects, and words for what the API says in one.
import { addressOf } from './address.js';
import { h } from './dom.js';
import { durationText } from './time.js';

const lapseWords = {
  overdue: ['overdue', 'Its time and grace have passed, and nothing was reported.'],
  skipped: ['skipped', 'A later step happened and this one was never reported.'],
  stalled: ['stalled', 'Nothing at all was reported on the subject until its horizon.'],
};

const basisWords = {
  observed: 'from what has happened before',
  contract: 'from what was promised, not from what happens',
  declared: 'somebody’s own word',
};

const dispatchWords = {
  pending: ['waiting to be sent', 'It goes to the agent as soon as it can be reached.'],
  held: ['kept here', 'Not sent for now: its dispatch is paused, or the agent keeps its own time.'],
  sending: ['being sent', ''],
  unknown: ['unsure', 'It was sent, and no answer came. It is looked for before it is sent again.'],
  submitted: ['with the agent', 'The agent has a task for it.'],
  concluded: ['answered', 'The agent’s task for it has ended.'],
  voided: ['not needed', 'What lapsed was closed, or discarded by a person, before it was sent.'],
  parked: ['not taken', 'The agent does not take it; it is not sent again unless a person has it retried.'],
};

export function badge(text, kind, title = '') {
  return h('span', { class: `badge ${kind}`, title: title === '' ? null : title }, text);
}

export function lapseBadge(lapse) {
  const [text, title] = lapseWords[lapse] ?? [lapse, ''];
  return badge(text, `lapse-${lapse}`, title);
}

export function basisBadge(basis) {
  return basis === undefined
    ? null
    : badge(basis, 'basis', `The due time is ${basisWords[basis] ?? 'on another basis'}.`);
}

export function dispatchCell({ state, taskId, attempts, possibleDuplicate, cause }) {
  const [text, title] = dispatchWords[state] ?? [state, ''];
  const hints = [
    title,
    taskId === undefined ? '' : `Task ${taskId}.`,
    attempts > 1 ? `${attempts} attempts.` : '',
    possibleDuplicate === true ? 'The agent may have it twice.' : '',
    cause ?? '',
  ];
  return badge(text, `dispatch-${state}`, hints.filter((hint) => hint !== '').join(' '));
}

/** The subject's name, which shows it. */
export function subjectLink(subject) {
  const type = h('span', { class: 'subject-type' }, subject.type);
  return h(
    'a',
    { class: 'subject-name', href: addressOf({ subject }), title: 'Show its timeline' },
    type,
    ' ',
    subject.id,
  );
}

/** What is expected, on which subject and by whom; the kind on hover. */
export function expectedCell({ expects, kind, agentId, subject }) {
  const below = h('div', { class: 'dim small' }, subjectLink(subject), ' · ', agentId);
  return h('div', { class: 'expected' }, h('div', { class: 'expects', title: kind }, expects), below);
}

/** Why a due time is less than it seems: its anchor is open, it is suspended, it cannot lapse. */
export function certaintyBadges(expectation) {
  const { anchor, reanchoredAt, suspended, status, warnings, question } = expectation;
  if (status !== 'open') return [];
  const waits = anchor !== undefined && reanchoredAt === undefined && !suspended;
  return [
    question ? badge('question', 'quiet', 'A task waits for a person’s answer.') : null,
    waits
      ? badge('projected', 'quiet', `Its time follows from ${anchor.expectationId}, which has not happened yet.`)
      : null,
    suspended
      ? badge('suspended', 'quiet', 'What it is anchored to has lapsed: it is not overdue before that is settled.')
      : null,
    warnings.includes('nothing_will_lapse')
      ? badge('cannot lapse', 'warning', 'It is suspended and has no horizon left.')
      : null,
  ];
}

export function graceText(grace) {
  const text = durationText(grace);
  return /^0(\s|$)/.test(text) || text === '' ? '' : `· ${text} grace`;
}
