// JSON from bytes nobody vouches for: UTF-8, depth and duplicate names are checked, at one pass over the text.
// It must never parse what is deeper than the limit.
import { jsonFaultAt } from './json-fault.ts';
import { maxDepth } from './limits.ts';

/** Why the text is not taken, for a person, with the place where it is known. */
export interface JsonRefusal {
  readonly refused: string;
}

export interface JsonValue {
  readonly value: unknown;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The value of the JSON text, or why it is none. */
export function parseJson(bytes: Uint8Array): JsonValue | JsonRefusal {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { refused: `it is not UTF-8 in line ${lineThatIsNotUtf8(bytes)}` };
  }
  const scan = scanText(text);
  if (scan.tooDeepAt !== undefined) {
    return { refused: `arrays and objects are nested deeper than ${maxDepth} at ${place(text, scan.tooDeepAt)}` };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { refused: syntaxMessage(text, error) };
  }
  const walk = walkValue(value, { memberCount: 0, isFinite: true });
  if (!walk.isFinite) return { refused: 'a number is too large to be kept' };
  if (walk.memberCount !== scan.colonCount) return { refused: `an object names a member twice${duplicatePlace(text)}` };
  return { value };
}

/** From 1. A line feed is never a part of another character. */
function lineThatIsNotUtf8(bytes: Uint8Array): number {
  let start = 0;
  for (let line = 1; ; line += 1) {
    const end = bytes.indexOf(0x0a, start);
    try {
      if (end === -1) return line;
      utf8.decode(bytes.subarray(start, end));
    } catch {
      return line;
    }
    start = end + 1;
  }
}

/** Depth, and the colons outside of strings: in valid JSON, as many as there are members written. */
function scanText(text: string): { readonly colonCount: number; readonly tooDeepAt?: number } {
  let depth = 0;
  let colonCount = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = endOfString(text, at);
    else if (code === 0x3a) colonCount += 1;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > maxDepth) return { colonCount, tooDeepAt: at };
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return { colonCount };
}

/** The index of the quote that closes the string opened at `start`, or the text's length. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    at += code === 0x5c ? 2 : 1;
  }
  return at;
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

function syntaxMessage(text: string, error: unknown): string {
  if (text.trim() === '') return 'it is empty';
  const message = error instanceof Error ? error.message : String(error);
  // Without what the parser quotes, and its own place, which it does not always name.
  const what = message.replace(/(,? (\.\.\.)?"[^]* is not valid JSON| in JSON at position [^]*| \(line [^]*)$/, '');
  return `${what} at ${place(text, jsonFaultAt(text))}`;
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
