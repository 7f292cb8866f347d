// From what the edge did with a fact to where its result is found.
import type { FactRead } from '#protocol';
import type { FactResult, PlannedFact } from './fact-result.ts';

/** A fact that was told to the log is answered from there; any other is answered now. */
export function plannedFact(fact: FactRead): PlannedFact {
  if (fact.outcome === 'told') {
    const { input: record, index: place, message } = fact;
    return { record, place, ...(message !== undefined && { message }) };
  }
  if (isImplausible(fact)) return { result: quarantinedResult(fact.message) };
  return { result: edgeResult('refused', fact.code, fact.message) };
}

export function isImplausible(fact: FactRead): fact is Extract<FactRead, { readonly outcome: 'quarantined' }> {
  return fact.outcome === 'quarantined';
}

/** The result of a fact that was kept out of the log. */
export function quarantinedResult(message: string): FactResult {
  return edgeResult('quarantined', 'implausible', message);
}

/** A result given by the edge itself. */
export function edgeResult(outcome: 'refused' | 'quarantined', code: string, message: string): FactResult {
  return { outcome, code, message, satisfied: [] };
}
