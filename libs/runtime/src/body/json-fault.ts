// Where a text stops being JSON (RFC 8259). Asked only where the parser has refused it, for it names no place itself.

const literals = ['true', 'false', 'null'];
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** What may come next. */
type Wanted = 'value' | 'valueOrEnd' | 'name' | 'nameOrEnd' | 'colon' | 'commaOrEnd' | 'nothing';

/** The index of the first character that cannot stand where it does; the text's length where it ends too early. */
export function jsonFaultAt(text: string): number {
  const open: ('[' | '{')[] = [];
  const afterValue = (): Wanted => (open.length === 0 ? 'nothing' : 'commaOrEnd');
  let wanted: Wanted = 'value';
  let at = skipBlank(text, 0);
  while (at < text.length) {
    const character = text[at] ?? '';
    const inner = open.at(-1);
    if (wanted === 'value' || wanted === 'valueOrEnd') {
      if (character === ']' && wanted === 'valueOrEnd') {
        open.pop();
        wanted = afterValue();
        at += 1;
      } else if (character === '[' || character === '{') {
        open.push(character);
        wanted = character === '[' ? 'valueOrEnd' : 'nameOrEnd';
        at += 1;
      } else {
        const { end, isWhole } = endOfScalar(text, at);
        if (!isWhole) return end;
        at = end;
        wanted = afterValue();
      }
    } else if (character === '"' && (wanted === 'name' || wanted === 'nameOrEnd')) {
      const { end, isWhole } = endOfText(text, at);
      if (!isWhole) return end;
      at = end;
      wanted = 'colon';
    } else if (character === ':' && wanted === 'colon') {
      wanted = 'value';
      at += 1;
    } else if (character === ',' && wanted === 'commaOrEnd') {
      wanted = inner === '[' ? 'value' : 'name';
      at += 1;
    } else if (isEnd(character, inner, wanted)) {
      open.pop();
      wanted = afterValue();
      at += 1;
    } else return at;
    at = skipBlank(text, at);
  }
  return at;
}

function isEnd(character: string, inner: '[' | '{' | undefined, wanted: Wanted): boolean {
  if (character === '}') return inner === '{' && (wanted === 'commaOrEnd' || wanted === 'nameOrEnd');
  return character === ']' && inner === '[' && wanted === 'commaOrEnd';
}

interface Token {
  /** Past its end, or where it is wrong. */
  readonly end: number;
  readonly isWhole: boolean;
}

function endOfScalar(text: string, at: number): Token {
  if (text[at] === '"') return endOfText(text, at);
  const literal = literals.find((each) => text.startsWith(each, at));
  if (literal !== undefined) return { end: at + literal.length, isWhole: true };
  number.lastIndex = at;
  return number.test(text) ? { end: number.lastIndex, isWhole: true } : { end: at, isWhole: false };
}

function endOfText(text: string, start: number): Token {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return { end: at + 1, isWhole: true };
    if (code < 0x20) return { end: at, isWhole: false };
    if (code !== 0x5c) continue;
    const escape = /^(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/.exec(text.slice(at + 1, at + 6));
    if (escape === null) return { end: at, isWhole: false };
    at += escape[0].length;
  }
  return { end: text.length, isWhole: false };
}

function skipBlank(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[ \t\n\r]/.test(text[at] ?? '')) at += 1;
  return at;
}
