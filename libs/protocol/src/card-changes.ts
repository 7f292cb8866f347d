// What a new version of an agent's card changed. It must never take a card that is written differently for another.
import type { Declaration } from './declaration.ts';
import { type Finding, finding } from './finding.ts';
import { readInterfaces } from './interfaces.ts';
import { isList, isObject, type JsonObject } from './shape.ts';

/** A card as it was kept, with what was read of it. */
export interface KeptCard {
  readonly card: unknown;
  readonly declaration: unknown;
}

/** The kinds' names, at most 100 of each; what is the same is absent. */
export interface CardChanges {
  readonly kindsAdded?: readonly string[];
  readonly kindsDropped?: readonly string[];
  readonly kindsChanged?: readonly string[];
  /** What else a watcher goes by. */
  readonly fields?: readonly ('keepsTime' | 'lapseSkill' | 'interfaces')[];
}

export interface ComparedCards {
  readonly changes: CardChanges;
  /** A warning where kinds are gone. */
  readonly findings: readonly Finding[];
  readonly droppedCount: number;
  /** Whether the log is to be told. */
  readonly isDeclaredAnew: boolean;
}

const namesCount = 100;
/** Kinds that a finding names. */
const shownCount = 3;

/** Compares what is declared now with what was. */
export function compareCards(
  before: KeptCard,
  after: { readonly card: unknown; readonly declaration: Declaration },
): ComparedCards {
  const [old, now] = [kindsOf(before.declaration), kindsOf(after.declaration)];
  const added = [...now.keys()].filter((kind) => !old.has(kind));
  const dropped = [...old.keys()].filter((kind) => !now.has(kind));
  const changed = [...now].flatMap(([kind, text]) => (old.has(kind) && old.get(kind) !== text ? [kind] : []));
  const { keepsTime, lapseSkill } = isObject(before.declaration) ? before.declaration : {};
  const fields = [
    ...(keepsTime === after.declaration.keepsTime ? [] : (['keepsTime'] as const)),
    ...(lapseSkill === after.declaration.lapseSkill ? [] : (['lapseSkill'] as const)),
    ...(isSameJson(readInterfaces(before.card), readInterfaces(after.card)) ? [] : (['interfaces'] as const)),
  ];
  return {
    changes: {
      ...(added.length > 0 && { kindsAdded: added.slice(0, namesCount) }),
      ...(dropped.length > 0 && { kindsDropped: dropped.slice(0, namesCount) }),
      ...(changed.length > 0 && { kindsChanged: changed.slice(0, namesCount) }),
      ...(fields.length > 0 && { fields }),
    },
    findings: dropped.length === 0 ? [] : [finding('kind_dropped', '$.capabilities.extensions', shown(dropped))],
    droppedCount: dropped.length,
    isDeclaredAnew: !isSameJson(before.declaration, after.declaration),
  };
}

/** Whether two values say the same, in whatever order their members stand. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

function shown(kinds: readonly string[]): string {
  const more = kinds.length - shownCount;
  return kinds.slice(0, shownCount).join(', ') + (more > 0 ? `, and ${more} more` : '');
}

function kindsOf(declaration: unknown): ReadonlyMap<string, string> {
  const kinds = isObject(declaration) ? declaration['kinds'] : undefined;
  return new Map(
    (isList(kinds) ? kinds : []).flatMap((entry): [string, string][] => {
      const kind = isObject(entry) ? entry['kind'] : undefined;
      return typeof kind === 'string' ? [[kind, canonical(entry)]] : [];
    }),
  );
}

/** JSON with the members of each object in one order. The depth must have been checked. */
function canonical(value: unknown): string {
  return JSON.stringify([value], (_, inner: unknown) => (isObject(inner) ? inOrder(inner) : inner));
}

function inOrder(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)));
}
