// A 128-bit hash of strings and JSON values, for equality only: MurmurHash3's 128-bit mixing over UTF-16 units.
// Not for secrets; whoever could make two of them collide would only fool itself.

/** 128 bits as four signed words: V8 keeps those in place, and unsigned ones in an object each. */
export interface Hash {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
}

// The state of the one hash being made; functions here run to their end before another begins.
let h1 = 0;
let h2 = 0;
let h3 = 0;
let h4 = 0;

export function isSame(left: Hash, right: Hash): boolean {
  return left.a === right.a && left.b === right.b && left.c === right.c && left.d === right.d;
}

/** The hash of a JSON value by its equality: the order of members does not count, 1 and 1.0 are one number. */
export function hashJson(value: unknown): Hash {
  begin();
  feedJson(value);
  return finish();
}

/** The hash of one string. */
export function hashString(text: string): Hash {
  begin();
  feedString(text);
  return finish();
}

/** The hash of a list of strings and a number after them. */
export function hashList(texts: readonly string[], number: number): Hash {
  begin();
  for (const text of texts) feedString(text);
  feedNumber(number);
  return finish();
}

/** The hash of what another hash stands for, a string and a number. */
export function hashWith(hash: Hash, text: string, number: number): Hash {
  begin();
  feedWords(hash.a, hash.b, hash.c, hash.d);
  feedString(text);
  feedNumber(number);
  return finish();
}

/** A signed 32-bit hash of one string, for an index that compares the string itself. */
export function hashText(text: string, seed: number): number {
  let hash = seed | 0;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x5bd1e995) ^ (hash >>> 15);
  return mixLast(hash);
}

/** 32 hexadecimal digits. */
export function formatHash(hash: Hash): string {
  return word(hash.a) + word(hash.b) + word(hash.c) + word(hash.d);
}

function word(value: number): string {
  return (value >>> 0).toString(16).padStart(8, '0');
}

function begin(): void {
  h1 = h2 = h3 = h4 = 0x9747b28c;
}

/** Every word comes to depend on all that was fed. */
function finish(): Hash {
  h1 = (h1 + h2 + h3 + h4) | 0;
  h2 = mixLast((h2 + h1) | 0);
  h3 = mixLast((h3 + h1) | 0);
  h4 = mixLast((h4 + h1) | 0);
  h1 = mixLast(h1);
  const a = (h1 + h2 + h3 + h4) | 0;
  return { a, b: (h2 + a) | 0, c: (h3 + a) | 0, d: (h4 + a) | 0 };
}

const TAGS = { null: 1, false: 2, true: 3, number: 4, string: 5, list: 6, object: 7 } as const;

function feedJson(value: unknown): void {
  switch (typeof value) {
    case 'string':
      feedString(value);
      return;
    case 'number':
      feedNumber(value);
      return;
    case 'boolean':
      feedWords(value ? TAGS.true : TAGS.false, 0, 0, 0);
      return;
    case 'object':
      feedObject(value);
      return;
    default:
      feedWords(TAGS.null, 1, 0, 0);
  }
}

function feedObject(value: object | null): void {
  if (value === null) {
    feedWords(TAGS.null, 0, 0, 0);
    return;
  }
  if (Array.isArray(value)) {
    feedWords(TAGS.list, value.length, 0, 0);
    for (const item of value) feedJson(item);
    return;
  }
  const members = value as Record<string, unknown>;
  const names = Object.keys(members).sort();
  feedWords(TAGS.object, names.length, 0, 0);
  for (const name of names) {
    feedString(name);
    feedJson(members[name]);
  }
}

const double = new Float64Array(1);
const doubleWords = new Int32Array(double.buffer);

function feedNumber(value: number): void {
  double[0] = value === 0 ? 0 : value;
  feedWords(TAGS.number, doubleWords[0] ?? 0, doubleWords[1] ?? 0, 0);
}

/** Its length first, so that no string is the start of another. */
function feedString(text: string): void {
  const { length } = text;
  h1 ^= Math.imul(TAGS.string + (length << 3), 0xab0e9789);
  let at = 0;
  for (; at + 8 <= length; at += 8)
    feedWords(pair(text, at), pair(text, at + 2), pair(text, at + 4), pair(text, at + 6));
  if (at === length) return;
  feedWords(lastPair(text, at), lastPair(text, at + 2), lastPair(text, at + 4), lastPair(text, at + 6));
}

/** Two units as one word. */
function pair(text: string, at: number): number {
  return text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16);
}

/** Likewise; beyond the end a unit is 0, and is not asked for: V8 would be slow ever after. */
function lastPair(text: string, at: number): number {
  if (at + 1 < text.length) return pair(text, at);
  return at < text.length ? text.charCodeAt(at) : 0;
}

function feedWords(w1: number, w2: number, w3: number, w4: number): void {
  h1 ^= Math.imul(rotate(Math.imul(w1, 0x239b961b), 15), 0xab0e9789);
  h1 = (Math.imul((rotate(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0;
  h2 ^= Math.imul(rotate(Math.imul(w2, 0xab0e9789), 16), 0x38b34ae5);
  h2 = (Math.imul((rotate(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0;
  h3 ^= Math.imul(rotate(Math.imul(w3, 0x38b34ae5), 17), 0xa1e38b93);
  h3 = (Math.imul((rotate(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0;
  h4 ^= Math.imul(rotate(Math.imul(w4, 0xa1e38b93), 18), 0x239b961b);
  h4 = (Math.imul((rotate(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0;
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function mixLast(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
