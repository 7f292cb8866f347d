// What a card declares of the Expectations extension, held against the specification (§6) as a watcher holds it.
import { isExpectationsUri, readDeclaration } from '#protocol';
import type { CardRefusal } from './card-refusal.ts';
import { isMembers, listOf, type Members } from './members.ts';

/** Nothing of a card that does not declare it. */
export function checkExpectations(card: Members): CardRefusal[] {
  const { capabilities } = card;
  const entries = isMembers(capabilities) ? listOf(capabilities['extensions']) : [];
  if (!entries.some((entry) => isMembers(entry) && isExpectationsUri(entry['uri']))) return [];
  return readDeclaration(card)
    .findings.filter(({ severity, path }) => severity === 'error' && path.startsWith('$.capabilities'))
    .map(({ path, message, paragraph }) => ({
      ...{ claim: path.slice('$.'.length), code: 'expectations-not-so', reason: `${message} (${paragraph})` },
    }));
}
