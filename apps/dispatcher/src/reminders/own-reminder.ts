// The watcher's own reminders, as they are told to the task that raised the expectation. Pure: the same for the same
// expectation and instant, so that one which comes twice is known by its id. Texts of agents are cut, and only quoted.
import { createHash } from 'node:crypto';
import type { LapseBlock, LapseKind, Subject } from '#expectations';
import { lapseText } from '#protocol';
import type { DeclaredReminders, ReminderDraft } from '#reminders';
import { wellFormed } from '../notices/well-formed.ts';

/** An expectation as it is told of. */
export interface ToldExpectation {
  readonly agentId: string;
  readonly expectationId: string;
  readonly taskId: string;
  /** Where it was recorded: an id that is used again is another expectation. */
  readonly recordedAt: readonly [ledgerOffset: number, eventIndex: number];
  readonly expects: string;
  readonly subject: Subject;
}

/** What of it: that it is due soon, or that it has lapsed. */
export type ReminderOccasion =
  { readonly type: 'dueSoon'; readonly dueAt: string } | { readonly type: 'lapsed'; readonly lapse: LapseBlock };

export interface OwnReminder {
  readonly tenant: string;
  readonly expectation: ToldExpectation;
  readonly occasion: ReminderOccasion;
}

/** In each of them is less than a body may have. */
const expectsCharacters = 1_000;
const nameCharacters = 200;
const namesCount = 5;

/** The reminder as it travels: of the task alone, for its next turn, and instead of an earlier one of the same expectation. */
export function injectedReminder(
  { tenant, expectation, occasion }: OwnReminder,
  { propagate, roleHints }: Pick<DeclaredReminders, 'propagate' | 'roleHints'>,
): ReminderDraft {
  const { agentId, expectationId, recordedAt } = expectation;
  const named = [tenant, agentId, expectationId, ...recordedAt];
  const isAlone = propagate.length === 0 || propagate.includes('REMINDER_PROPAGATION_NONE');
  // It quotes what an agent has made of what its callers say: that is to be no more than a developer's hint, where it can.
  const isSystem = roleHints.length > 0 && !roleHints.includes('REMINDER_ROLE_HINT_DEVELOPER');
  return {
    id: `${wordOf[occasion.type]}:${hash([...named, ...instantOf(occasion)])}`,
    body: bodyOf(expectation, occasion),
    tags: ['expectation', wordOf[occasion.type], ...(occasion.type === 'lapsed' ? [occasion.lapse.lapse] : [])],
    dedupeKey: `expectation:${hash(named)}`,
    ttlTurns: 1,
    preserveOnCompact: true,
    propagate: isAlone ? 'REMINDER_PROPAGATION_NONE' : 'REMINDER_PROPAGATION_SESSION',
    roleHint: isSystem ? 'REMINDER_ROLE_HINT_SYSTEM' : 'REMINDER_ROLE_HINT_DEVELOPER',
    source: 'duewatch',
    mode: 'finish_step',
  };
}

/** What is kept of a lapse until it is told. */
export function toldLapse(lapse: LapseBlock): LapseBlock {
  const { subject, satisfiedAfter } = lapse;
  return {
    ...lapse,
    ...{ kind: cut(lapse.kind, nameCharacters), expects: toldExpects(lapse.expects), subject: toldSubject(subject) },
    ...(satisfiedAfter !== undefined && {
      satisfiedAfter: satisfiedAfter.slice(0, namesCount).map((id) => cut(id, nameCharacters)),
    }),
  };
}

export function toldExpects(expects: string): string {
  return cut(expects, expectsCharacters);
}

export function toldSubject({ type, id }: Subject): Subject {
  return { type: cut(type, nameCharacters), id: cut(id, nameCharacters) };
}

const wordOf = { dueSoon: 'due-soon', lapsed: 'lapsed' } as const;

function instantOf(occasion: ReminderOccasion): readonly string[] {
  if (occasion.type === 'dueSoon') return [occasion.type, occasion.dueAt];
  const kind: LapseKind = occasion.lapse.lapse;
  return [occasion.type, kind, occasion.lapse.dueAt];
}

function bodyOf({ expectationId, expects, subject }: ToldExpectation, occasion: ReminderOccasion): string {
  const id = cut(expectationId, nameCharacters);
  if (occasion.type === 'dueSoon') {
    const what = `“${expects}” (${subject.type} “${subject.id}”)`;
    return `Due soon: ${what} is due at ${occasion.dueAt}, and had not come when this was sent. It is your expectation ${id}.`;
  }
  return `${lapseText(occasion.lapse)} It is your expectation ${id}; a task of its own is for answering it.`;
}

function cut(text: string, characters: number): string {
  // A line of its own, or one that runs the other way, would look like none of the agent's words.
  const clean = wellFormed(text).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return clean.length > characters ? `${clean.slice(0, characters).replace(/\p{Surrogate}$/u, '')}…` : clean;
}

function hash(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}
