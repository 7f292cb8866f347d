// A write's answer from its plan and what was decided: the same now and when it is asked for later.
import type { LedgerEvent } from '#event-log';
import { type AnswerKind, Problem } from '#runtime';
import { type FactResult, factResults, type PlannedFact } from './fact-result.ts';
import {
  isAnyRefused,
  type ObservationResult,
  observationResult,
  type PlannedObservation,
} from './observation-result.ts';

/** One item of an array that was refused at the edge. */
export interface RefusedObservation {
  readonly code: string;
  readonly message: string;
}

/** How a write's records relate to what the client sent. JSON. */
export type WritePlan =
  | { readonly kind: 'observations'; readonly items: readonly (PlannedObservation | RefusedObservation)[] }
  | { readonly kind: 'facts'; readonly single: boolean; readonly facts: readonly PlannedFact[] }
  | { readonly kind: 'agent'; readonly agent: Readonly<Record<string, unknown>> };

export interface WriteAnswer {
  readonly kind: Extract<AnswerKind, 'taken' | 'someRefused' | 'undecided'>;
  readonly body: Readonly<Record<string, unknown>>;
  /** Where an undecided write is answered later. */
  readonly location?: string;
}

type Decided = readonly (readonly LedgerEvent[])[];

/** `decided` holds each record's events, in the order of the records. Throws `Problem` for a single fact that was refused. */
export function answerWrite(plan: WritePlan, decided: Decided, position: string | undefined): WriteAnswer {
  const end = position === undefined ? {} : { position };
  switch (plan.kind) {
    case 'agent':
      return { kind: 'taken', body: { ...plan.agent, ...end } };
    case 'observations': {
      const results = observationResults(plan.items, decided);
      return { kind: results.some(isAnyRefused) ? 'someRefused' : 'taken', body: { results, ...end } };
    }
    case 'facts': {
      const results = factResults(plan.facts, decided);
      const refused = results.find(({ outcome }) => outcome === 'refused');
      if (plan.single && refused !== undefined) throw factRefused(refused, { results, ...end });
      return { kind: refused === undefined ? 'taken' : 'someRefused', body: { results, ...end } };
    }
  }
}

function observationResults(
  items: readonly (PlannedObservation | RefusedObservation)[],
  decided: Decided,
): readonly ObservationResult[] {
  let next = 0;
  return items.map((item) => {
    if (!('agentId' in item)) return { outcome: 'refused', ...item, expectations: [], facts: [], withdrawn: [] };
    const start = next;
    next += item.recordCount;
    return observationResult(item, decided.slice(start, next));
  });
}

function factRefused(result: FactResult, members: Readonly<Record<string, unknown>>): Problem {
  return new Problem('fact-refused', result.message ?? 'it was refused', { code: result.code, ...members });
}
