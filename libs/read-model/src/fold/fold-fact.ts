// A recorded fact, folded: the fact, and the subjects it is recorded on.
import type { FactRecorded } from '#expectations';
import { identityHash } from '../stored-text.ts';
import { type Changes, factRowKey, type Origin } from './changes.ts';

export function foldFact(changes: Changes, { tenant, ledgerOffset }: Origin, event: FactRecorded): void {
  const { factNumber, reporter, observedAt, subjects, fact, at } = event;
  const factKey = fact['factKey'];
  if (typeof factKey !== 'string') throw new TypeError('factKey of a recorded fact must be a string');
  const row = {
    tenant,
    factNumber,
    ledgerOffset,
    reporter,
    factKey,
    observedAt,
    receivedAt: at,
    subjects,
    fact,
    satisfied: [],
  };
  changes.facts.set(factRowKey(row), row);
  for (const { type, id } of subjects) {
    changes.factSubjects.push({ subjectHash: identityHash(tenant, type, id), factNumber });
  }
}
