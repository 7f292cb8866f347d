// Activates the extension towards an agent that declares it (§7), on top of whatever the client itself activates.
// It must never take a URI away that the client has sent.
import { EXTENSION_HEADER, LEGACY_EXTENSION_HEADER, understoodUris } from '#protocol';
import { type HeaderPairs, splitValues, valuesOf, withoutNames } from './forwarded-headers.ts';

const current = EXTENSION_HEADER.toLowerCase();
const legacy = LEGACY_EXTENSION_HEADER.toLowerCase();

export interface Activated {
  readonly headers: HeaderPairs;
  /** Whether the request activates a version of the extension, the client's own doing included. */
  readonly isActivated: boolean;
}

/** `uri` is what the agent declares, absent where nothing; the header is spelt as the wire has it (N27). */
export function activate(headers: HeaderPairs, uri: string | undefined, isLegacyWire: boolean): Activated {
  const ofCurrent = valuesOf(headers, current);
  const ofLegacy = valuesOf(headers, legacy);
  const isActivated = uri !== undefined || [...ofCurrent, ...ofLegacy].some((each) => understoodUris.includes(each));
  if (uri === undefined) return { headers, isActivated };
  const others = withoutNames(headers, [current, legacy]);
  // An agent of 0.3 that knows both spellings reads the older alone where it is there: it gets all of both.
  const legacyList = isLegacyWire ? union(ofLegacy, ofCurrent, [uri]) : ofLegacy;
  const currentList = isLegacyWire && ofCurrent.length === 0 ? [] : union(ofCurrent, [uri]);
  return {
    headers: [
      ...others,
      ...(currentList.length === 0 ? [] : [[EXTENSION_HEADER, currentList.join(', ')] as const]),
      ...(legacyList.length === 0 ? [] : [[LEGACY_EXTENSION_HEADER, legacyList.join(', ')] as const]),
    ],
    isActivated,
  };
}

/** Whether the agent says that it has activated it; many that do activate do not say so. */
export function isEchoed(headers: Readonly<Record<string, string | string[] | undefined>>, uri: string): boolean {
  return [headers[current], headers[legacy]].flat().some((line) => splitValues(line ?? '').includes(uri));
}

function union(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())];
}
