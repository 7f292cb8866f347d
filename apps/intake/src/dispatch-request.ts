// How a client wants lapses to be sent to an agent, checked.
import { dedupesWords, type DispatchSettings, invalidField, readFields } from '#runtime';

const mostPerMinute = 60_000;

/** Throws `Problem` naming the field. */
export function readDispatchSettings(value: unknown): DispatchSettings {
  const { dedupes, ratePerMinute } = readFields(value, 'dispatch', ['dedupes', 'ratePerMinute']);
  const word = dedupesWords.find((each) => each === dedupes);
  if (dedupes !== undefined && word === undefined) {
    throw invalidField('dispatch.dedupes', 'must be "yes", "no" or "unknown"');
  }
  const isRate = typeof ratePerMinute === 'number' && Number.isInteger(ratePerMinute);
  if (ratePerMinute !== undefined && !(isRate && ratePerMinute >= 1 && ratePerMinute <= mostPerMinute)) {
    throw invalidField('dispatch.ratePerMinute', `must be a whole number from 1 to ${mostPerMinute}`);
  }
  return { ...(word !== undefined && { dedupes: word }), ...(isRate && { ratePerMinute }) };
}
