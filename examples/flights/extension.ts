// The Expectations extension (version 1) as this agent speaks it: what it declares, raises and reads.
// It knows nothing of Duewatch: any watcher of the extension will do.
export const expectationsUri = 'https://rsaxb.com/a2a/expectations/v1';

export const bookSkill = 'book_flight';
export const lapseSkill = 'handle_lapse';

export interface Subject {
  readonly type: string;
  readonly id: string;
}

/** An expectation as it is raised (§8); instants are RFC 3339, durations ISO 8601. */
export interface Expectation {
  readonly expectationId: string;
  readonly kind: string;
  readonly subject: Subject;
  readonly expects: string;
  readonly satisfiedBy: { readonly factKey: string };
  readonly dueAt: string;
  readonly grace: string;
  readonly basis: 'observed' | 'contract' | 'declared';
  readonly anchor?: { readonly expectationId: string; readonly offset: string };
  readonly after?: readonly string[];
  readonly horizon?: string;
}

/** A fact as it is reported (§9.2). */
export interface Fact {
  readonly factKey: string;
  readonly observedAt: string;
  readonly source: string;
  readonly subject: Subject;
}

/** What a lapse message tells (§10.1), as far as this agent reads it. */
export interface Lapse {
  readonly expectationId: string;
  readonly expects: string;
  readonly lapse: string;
  readonly dueAt: string;
}

/** What the card says under the extension's URI (§6.1). The times come from published schedules, hence `contract`. */
export const declaration = {
  keepsTime: false,
  lapseSkill,
  kinds: [
    {
      kind: 'flight.departure',
      subjectType: 'flight',
      describes: 'the departure of a booked flight',
      basis: 'contract',
      skills: [bookSkill],
    },
    {
      kind: 'flight.arrival',
      subjectType: 'flight',
      describes: 'the arrival of a booked flight',
      basis: 'contract',
      skills: [bookSkill],
    },
  ],
} as const;

/** The lapse block in a message's metadata; undefined where there is none, or it lacks what is read of it. */
export function lapseIn(metadata: { readonly [key: string]: unknown } | undefined): Lapse | undefined {
  const block = metadata?.[expectationsUri];
  const lapse = isObject(block) ? block['lapse'] : undefined;
  if (!isObject(lapse)) return undefined;
  const { expectationId, expects, lapse: kind, dueAt } = lapse;
  return isText(expectationId) && isText(expects) && isText(kind) && isText(dueAt)
    ? { ...lapse, expectationId, expects, lapse: kind, dueAt }
    : undefined;
}

export function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
