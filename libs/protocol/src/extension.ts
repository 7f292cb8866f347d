// The extension's names on the wire: its URI, which is also its key in metadata, and the headers that activate it.

import { EXTENSION_URI } from '#expectations';

export { EXTENSION_URI };

/** The key of the extension's block in an artifact's or message's `metadata` (§8). */
export const METADATA_KEY = EXTENSION_URI;

/** Every version that is understood, the highest first (§15). */
export const understoodUris: readonly string[] = [EXTENSION_URI];

/** Activates the extension on A2A 1.0 (§7). */
export const EXTENSION_HEADER = 'A2A-Extensions';

/** The same on A2A 0.3. */
export const LEGACY_EXTENSION_HEADER = 'X-A2A-Extensions';

/** A2A's own version header; its absence means 0.3. */
export const VERSION_HEADER = 'A2A-Version';

/** The URI of any version of the extension, this watcher's or not. */
export function isExpectationsUri(uri: unknown): uri is string {
  return typeof uri === 'string' && /^https:\/\/rsaxb\.com\/a2a\/expectations\/v\d+$/.test(uri);
}
