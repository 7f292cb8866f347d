// Plain inputs for tests that are about time and not about content: one agent, one kind, one expectation a subject.
import type { UntimedInput } from '#event-log';
import { formatInstant } from '#expectations';

const extensionUri = 'https://rsaxb.com/a2a/expectations/v1';

export interface RaisedDraft {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly dueAtMs: number;
  /** Any further members of the expectation. */
  readonly content?: Readonly<Record<string, unknown>>;
}

/** The agent `booking` declares the kind that `raised` raises. */
export function declared(agentId = 'booking'): UntimedInput {
  const kinds = [{ kind: 'departure', subjectType: 'flight', describes: 'a departure', basis: 'observed' }];
  return { type: 'agentDeclared', agentId, params: { keepsTime: false, lapseSkill: 'handle_lapse', kinds } };
}

/** The agent `booking` raises expectations in one artifact, each on a subject and with a fact key of its id's name. */
export function raised(...drafts: readonly RaisedDraft[]): UntimedInput {
  const expectations = drafts.map(({ id, dueAtMs, content }) => ({
    expectationId: id,
    kind: 'departure',
    subject: { type: 'flight', id },
    expects: `${id} departs`,
    satisfiedBy: { factKey: `departed:${id}` },
    dueAt: formatInstant(dueAtMs),
    basis: 'observed',
    ...content,
  }));
  const artifact = { artifactId: 'a', metadata: { [extensionUri]: { expectations } } };
  return { type: 'artifactObserved', agentId: 'booking', taskId: 'task-1', contextId: 'context-1', artifact };
}

/** A feed reports that what was expected under these ids has happened. */
export function reported(observedAtMs: number, ...ids: readonly string[]): UntimedInput {
  const observedAt = formatInstant(observedAtMs);
  const facts = ids.map((id) => ({ factKey: `departed:${id}`, observedAt }));
  return { type: 'factsReported', reporter: 'tower', facts };
}
