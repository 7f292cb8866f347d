// The extension's objects as an agent writes them (Expectations §8, §9.2): plain JSON.

/** Where a due time comes from; it must be truthful (§8, §13.3). */
export type Basis = 'observed' | 'contract' | 'declared';

export interface Subject {
  readonly type: string;
  readonly id: string;
}

/** An expectation as it is raised: immutable. Instants are RFC 3339 in UTC, durations ISO 8601. */
export interface Expectation {
  readonly expectationId: string;
  readonly kind: string;
  readonly subject: Subject;
  readonly expects: string;
  readonly satisfiedBy: { readonly factKey: string };
  readonly dueAt: string;
  readonly grace?: string;
  readonly anchor?: { readonly expectationId: string; readonly offset: string };
  readonly after?: readonly string[];
  readonly horizon?: string;
  readonly basis: Basis;
  readonly supersedes?: string;
}

/** A fact as it is reported. */
export interface Fact {
  readonly factKey: string;
  readonly observedAt: string;
  readonly source: string;
  readonly subject?: Subject;
}

/** An expectation, or its id. */
export type Named = string | { readonly expectationId: string };

export function idOf(named: Named): string {
  return typeof named === 'string' ? named : named.expectationId;
}
