// What was decided of facts, per fact, as clients read it. It must never judge: it only reads events.
import type { LedgerEvent } from '#event-log';

export interface SatisfiedExpectation {
  readonly agentId: string;
  readonly expectationId: string;
}

export interface FactResult {
  readonly outcome: 'accepted' | 'repeated' | 'refused' | 'quarantined';
  readonly code?: string;
  readonly message?: string;
  /** What is to be said of it though it was taken. */
  readonly warnings?: readonly string[];
  readonly satisfied: readonly SatisfiedExpectation[];
}

/** A fact's result is known at the edge, or is found in a record of the write. JSON. */
export type PlannedFact =
  | { readonly result: FactResult }
  | {
      /** Which of the write's records, and the place in its report. */
      readonly record: number;
      readonly place: number;
      /** Says better than the decider can why it was refused. */
      readonly message?: string;
      /** To be said in any case. */
      readonly warning?: string;
    };

interface OpenResult extends FactResult {
  readonly satisfied: SatisfiedExpectation[];
}

/** The results of a write's facts. `decided` holds the events of each record, in the order of the records. */
export function factResults(
  planned: readonly PlannedFact[],
  decided: readonly (readonly LedgerEvent[])[],
): readonly FactResult[] {
  const reports = decided.map(reportResults);
  return planned.map((fact) => {
    if ('result' in fact) return fact.result;
    const result = reports[fact.record]?.get(fact.place) ?? undecidable;
    return {
      ...result,
      ...(result.outcome === 'refused' && fact.message !== undefined && { message: fact.message }),
      ...(fact.warning !== undefined && { warnings: [fact.warning] }),
    };
  });
}

/** By the facts' places in the report. What is satisfied after a fact, up to the next fact, is that fact's doing. */
export function reportResults(events: readonly LedgerEvent[]): ReadonlyMap<number, FactResult> {
  const results = new Map<number, OpenResult>();
  let current: OpenResult | undefined;
  for (const event of events) {
    const outcome = outcomeOf(event);
    if (outcome !== undefined) {
      current = { ...outcome.said, satisfied: [] };
      results.set(outcome.index, current);
    } else if (event.type === 'expectationSatisfied') {
      current?.satisfied.push({ agentId: event.agentId, expectationId: event.expectationId });
    }
  }
  return results;
}

function outcomeOf(
  event: LedgerEvent,
): { readonly index: number; readonly said: Omit<FactResult, 'satisfied'> } | undefined {
  if (event.type === 'factRecorded') return { index: event.index, said: { outcome: 'accepted' } };
  if (event.type === 'factRepeated') return { index: event.index, said: { outcome: 'repeated' } };
  if (event.type !== 'factRefused') return undefined;
  return { index: event.index, said: { outcome: 'refused', code: event.code, message: event.message } };
}

/** The record was parked: an operator knows more. */
const undecidable: FactResult = {
  outcome: 'refused',
  code: 'not_decided',
  message: 'the watcher could not decide it and has parked it: an operator sees why under /v1/parked-inputs',
  satisfied: [],
};
