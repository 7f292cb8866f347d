// From what the edge did with a fact to where its result is found.
import type { FactRead } from '#protocol';
import type { ImplausibleFact } from '../quarantine.ts';
import type { FactResult, PlannedFact } from './fact-result.ts';

/** A fact that was told to the log is answered from there; any other is answered now. The quarantine had `noRoom` for some. */
export function plannedFact(fact: FactRead, noRoom: ReadonlySet<ImplausibleFact>): PlannedFact {
  if (fact.outcome === 'told') {
    const { input: record, index: place, message, warning } = fact;
    return { record, place, ...(message !== undefined && { message }), ...(warning !== undefined && { warning }) };
  }
  if (isImplausible(fact)) return { result: keptOutResult(fact.message, noRoom.has(fact)) };
  return { result: edgeResult('refused', fact.code, fact.message) };
}

export function isImplausible(fact: FactRead): fact is Extract<FactRead, { readonly outcome: 'quarantined' }> {
  return fact.outcome === 'quarantined';
}

/** The result of a fact that was kept out of the log: quarantined, unless there was no room. */
export function keptOutResult(message: string, isRefused: boolean): FactResult {
  if (!isRefused) return edgeResult('quarantined', 'implausible', message);
  const full = `${message}, and the quarantine is full: an operator must release or discard what is in it`;
  return edgeResult('refused', 'quarantine_full', full);
}

/** A result given by the edge itself. */
export function edgeResult(outcome: 'refused' | 'quarantined', code: string, message: string): FactResult {
  return { outcome, code, message, satisfied: [] };
}
