// What one record of a feed says: facts, or why it is parked. It must never quote what is in it.
import type { FeedRecord } from '#event-log';
import { limits } from '#protocol';
import { parseJson } from '#runtime';

/** Why a record of a feed is not reported. */
export type ParkedReason = 'unreadable' | 'no_value' | 'too_large' | 'not_json' | 'wrong_shape' | 'quarantine_full';

export type FedRecord =
  { readonly facts: readonly unknown[] } | { readonly reason: ParkedReason; readonly message: string };

/** The facts of a record: one, or an array of them. Their form is judged by the decider. */
export function readFedRecord({ value, unreadable }: Pick<FeedRecord, 'value' | 'unreadable'>): FedRecord {
  if (unreadable !== undefined) {
    return { reason: 'unreadable', message: `its batch cannot be read: ${unreadable.reason}` };
  }
  if (value === null) return { reason: 'no_value', message: 'it has no value' };
  if (value.byteLength > limits.blockBytes) {
    return { reason: 'too_large', message: `it has ${value.byteLength} bytes; at most ${limits.blockBytes} are taken` };
  }
  const parsed = parseJson(value);
  if ('refused' in parsed) {
    const reason = parsed.isTooLarge === true ? 'too_large' : 'not_json';
    return { reason, message: `it is not JSON as it must be: ${parsed.refused}` };
  }
  const facts: unknown = parsed.value;
  if (!Array.isArray(facts)) {
    if (typeof facts === 'object' && facts !== null) return { facts: [facts] };
    return { reason: 'wrong_shape', message: 'it must be a fact, or an array of facts' };
  }
  if (facts.length <= limits.blockItemsCount) return { facts };
  return { reason: 'too_large', message: `it has ${facts.length} facts; at most ${limits.blockItemsCount} are taken` };
}
