// What the edge lets into the log, item by item. It must never judge an item's meaning: that is the decider's.
import { isList, isObject, isStorable, isWithinDepth, isWithinLength } from './shape.ts';

/** The edge's limits. Bytes are of the JSON in UTF-8; characters are code points. */
export const limits = {
  /** Expectations, or facts, that one block may carry. */
  blockItemsCount: 1_000,
  blockBytes: 512_000,
  /** Beyond this many items in a list the request is refused whole: answering each would be an attack on the record. */
  listedItemsCount: 10_000,
  /** Places that one refusal names. */
  refusalsCount: 100,
  /** Facts of one record. */
  reportFactsCount: 500,
  idCharacters: 1_024,
  textCharacters: 4_000,
  jsonDepth: 64,
} as const;

/** The lists of a block whose items are limited one by one. */
export type ItemPart = 'expectations' | 'facts';

const idPaths: Readonly<Record<ItemPart, readonly (readonly string[])[]>> = {
  expectations: [
    ['expectationId'],
    ['kind'],
    ['subject', 'type'],
    ['subject', 'id'],
    ['satisfiedBy', 'factKey'],
    ['anchor', 'expectationId'],
    ['supersedes'],
    ['basis'],
  ],
  facts: [['factKey'], ['source'], ['subject', 'type'], ['subject', 'id']],
};

const nameOfPart: Readonly<Record<ItemPart, string>> = { expectations: 'expectationId', facts: 'factKey' };

/** Whether a text may be an id, a key or a subject in the log. */
export function isUsableId(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && isStorable(value) && isWithinLength(value, limits.idCharacters);
}

/** Why the item may not enter the log as it is, in a person's words; undefined where it may. */
export function itemFault(item: unknown, part: ItemPart): string | undefined {
  if (!isWithinDepth(item, limits.jsonDepth)) return `is nested deeper than ${limits.jsonDepth} levels`;
  if (jsonBytes(item) > limits.blockBytes) return 'is larger than 512 kB';
  const unstorable = unstorablePlace(item);
  if (unstorable !== undefined) return `${placeText(unstorable)} holds a NUL or half a character`;
  for (const path of idPaths[part]) {
    const value = path.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), item);
    if (isOver(value, limits.idCharacters)) return tooLong(path.join('.'), limits.idCharacters);
  }
  if (!isObject(item)) return undefined;
  if (isOver(item['expects'], limits.textCharacters)) return tooLong('expects', limits.textCharacters);
  const after = item['after'];
  const long = isList(after) ? after.findIndex((id) => isOver(id, limits.idCharacters)) : -1;
  return long === -1 ? undefined : tooLong(`after[${long}]`, limits.idCharacters);
}

/** What stands in the log for an item that may not: enough for the decider to refuse it `invalid`, under its own id. */
export function stubOf(item: unknown, part: ItemPart): { readonly [name: string]: string } | null {
  const name = nameOfPart[part];
  const id = isObject(item) ? item[name] : undefined;
  return isUsableId(id) ? { [name]: id } : null;
}

/** The size of a value's JSON in UTF-8. The depth must have been checked. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

/** Where in the value a text is that no store keeps; put together on the way back, for most values have none. */
function unstorablePlace(value: unknown): string | undefined {
  if (typeof value === 'string') return isStorable(value) ? undefined : '';
  if (isList(value)) {
    for (let index = 0; index < value.length; index += 1) {
      const place = unstorablePlace(value[index]);
      if (place !== undefined) return `[${index}]${place}`;
    }
    return undefined;
  }
  if (!isObject(value)) return undefined;
  for (const name of Object.keys(value)) {
    if (!isStorable(name)) return ".(a member's name)";
    const place = unstorablePlace(value[name]);
    if (place !== undefined) return `.${name}${place}`;
  }
  return undefined;
}

/** The place for a person: of an endless one the beginning. */
function placeText(place: string): string {
  const text = place.replace(/^\./, '');
  return text === '' ? 'it' : text.slice(0, 200).replace(/\p{Surrogate}$/u, '');
}

function isOver(value: unknown, limit: number): boolean {
  return typeof value === 'string' && !isWithinLength(value, limit);
}

function tooLong(path: string, limit: number): string {
  return `${path} is longer than ${limit.toLocaleString('en')} characters`;
}
