// JSON from bytes nobody vouches for: UTF-8, depth and duplicate names are checked, at one pass over the text.
// It must never parse what is deeper than the limit.
import { isUtf8 } from 'node:buffer';
import { jsonFaultAt } from './json-fault.ts';
import { endOfString, JsonScan, type ScanRefusal } from './json-scan.ts';
import { sliceBytes } from './limits.ts';

/** Why the text is not taken, for a person, with the place where it is known. */
export interface JsonRefusal {
  readonly refused: string;
  /** It is too much, rather than wrong. */
  readonly isTooLarge?: boolean;
}

export interface JsonValue {
  readonly value: unknown;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The value of the JSON text, or why it is none; at once. */
export function parseJson(bytes: Uint8Array): JsonValue | JsonRefusal {
  const text = decode(bytes);
  if (typeof text !== 'string') return text;
  const scan = new JsonScan(text);
  scan.goOn(text.length);
  if (scan.refusal !== undefined) return refusalOf(text, scan.refusal);
  const walk: Walk = { memberCount: 0, isFinite: true };
  const parsed = parsePart(text, walk);
  return 'error' in parsed ? syntaxRefusal(text, parsed.error) : judged(text, scan, walk, parsed.value);
}

/** The same, a slice a turn: `nextTurn` resolves when the next may begin. What is small is done at once. */
export async function parseJsonInTurns(
  bytes: Uint8Array,
  nextTurn: () => Promise<void>,
): Promise<JsonValue | JsonRefusal> {
  if (bytes.byteLength <= sliceBytes) return parseJson(bytes);
  await nextTurn();
  const text = decode(bytes);
  if (typeof text !== 'string') return text;
  const scan = new JsonScan(text);
  while (scan.goOn(4 * sliceBytes)) await nextTurn();
  if (scan.refusal !== undefined) return refusalOf(text, scan.refusal);
  const walk: Walk = { memberCount: 0, isFinite: true };
  const elements: unknown[] = [];
  let value: unknown = elements;
  for (const part of partsOf(text, scan.cuts)) {
    await nextTurn();
    const parsed = parsePart(part, walk);
    if ('error' in parsed) return syntaxRefusal(text, parsed.error);
    if (scan.cuts.length === 0) value = parsed.value;
    else {
      const own = parsed.value as readonly unknown[];
      // Nothing on one side of a comma.
      if (own.length === 0) return syntaxRefusal(text, undefined);
      for (const element of own) elements.push(element);
    }
  }
  return judged(text, scan, walk, value);
}

/** The text as lists of its own elements, each of which is JSON if the whole is; it alone where it has no cuts. */
function* partsOf(text: string, cuts: readonly number[]): Generator<string> {
  let start = 0;
  for (const cut of cuts) {
    yield `${start === 0 ? '' : '['}${text.slice(start, cut)}]`;
    start = cut + 1;
  }
  yield start === 0 ? text : `[${text.slice(start)}`;
}

function decode(bytes: Uint8Array): string | JsonRefusal {
  try {
    return utf8.decode(bytes);
  } catch {
    return { refused: `it is not UTF-8 in line ${lineThatIsNotUtf8(bytes)}` };
  }
}

function parsePart(text: string, walk: Walk): JsonValue | { readonly error: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    walkValue(value, walk);
    return { value };
  } catch (error) {
    return { error };
  }
}

function judged(text: string, scan: JsonScan, walk: Walk, value: unknown): JsonValue | JsonRefusal {
  if (!walk.isFinite) return { refused: 'a number is too large to be kept' };
  if (walk.memberCount === scan.colonCount) return { value };
  return { refused: `an object names a member twice${duplicatePlace(text)}` };
}

function refusalOf(text: string, { reason, at, isTooLarge }: ScanRefusal): JsonRefusal {
  return { refused: `${reason} at ${place(text, at)}`, ...(isTooLarge && { isTooLarge }) };
}

/** From 1. A line feed is never a part of another character, so it is searched by halving. */
function lineThatIsNotUtf8(bytes: Uint8Array): number {
  let start = 0;
  let end = bytes.length;
  for (;;) {
    const middle = (start + end) >>> 1;
    const before = bytes.lastIndexOf(0x0a, middle);
    const feed = before >= start ? before : bytes.indexOf(0x0a, middle);
    if (feed === -1 || feed + 1 >= end) break;
    if (isUtf8(bytes.subarray(start, feed + 1))) start = feed + 1;
    else end = feed + 1;
  }
  let line = 1;
  for (let at = 0; at < start; at += 1) if (bytes[at] === 0x0a) line += 1;
  return line;
}

interface Walk {
  memberCount: number;
  isFinite: boolean;
}

/** Counts the members that the parser kept (a name written twice is kept once), and looks for numbers past a double's range. */
function walkValue(value: unknown, walk: Walk): Walk {
  if (typeof value === 'number') walk.isFinite &&= Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return walk;
  if (Array.isArray(value)) {
    for (const child of value) if (typeof child !== 'string') walkValue(child, walk);
    return walk;
  }
  // By its names: a list of the values of an object with a million members takes several times as long.
  for (const name of Object.keys(value)) {
    walk.memberCount += 1;
    const child: unknown = (value as Record<string, unknown>)[name];
    if (typeof child !== 'string') walkValue(child, walk);
  }
  return walk;
}

/** Only for text already known to be valid JSON that has a duplicate. */
function duplicatePlace(text: string): string {
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x7b) open.push(new Set());
    else if (code === 0x5b) open.push(null);
    else if (code === 0x5d || code === 0x7d) open.pop();
    else if (code === 0x22) {
      const end = endOfString(text, at);
      const names = open.at(-1);
      if (names !== undefined && names !== null && /^\s*:/.test(text.slice(end + 1, end + 64))) {
        const name = JSON.parse(text.slice(at, end + 1)) as string;
        if (names.has(name)) return ` at ${place(text, at)}`;
        names.add(name);
      }
      at = end;
    }
  }
  return '';
}

function syntaxRefusal(text: string, error: unknown): JsonRefusal {
  if (text.trim() === '') return { refused: 'it is empty' };
  const message = error instanceof Error ? error.message : 'Unexpected comma';
  // Without what the parser quotes, and its own place, which it does not always name.
  const what = message.replace(/(,? (\.\.\.)?"[^]* is not valid JSON| in JSON at position [^]*| \(line [^]*)$/, '');
  return { refused: `${what} at ${place(text, jsonFaultAt(text))}` };
}

/** Line and column of an index, both from 1. */
function place(text: string, index: number): string {
  let line = 1;
  let lineStart = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) {
    line += 1;
    lineStart = at + 1;
  }
  return `line ${line}, column ${index - lineStart + 1}`;
}
