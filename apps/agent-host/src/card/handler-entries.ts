// The card with the extensions that its handler has put on it.
import type { ExtensionEntry } from '#agent-handler';
import { isMembers, listOf, type Members } from './members.ts';

export function uriOf(extension: string | ExtensionEntry): string {
  return typeof extension === 'string' ? extension : extension.uri;
}

/** Where the card's own members are of no use, their shape says so. */
export function withEntries(card: Members, extensions: readonly (string | ExtensionEntry)[]): Members {
  const entries = extensions.filter((extension) => typeof extension !== 'string');
  const { capabilities } = card;
  if (entries.length === 0 || !isMembers(capabilities)) return card;
  return {
    ...card,
    capabilities: { ...capabilities, extensions: [...listOf(capabilities['extensions']), ...entries] },
  };
}
