import { parseJson, parseJsonInTurns } from './json-text.ts';
import { sliceBytes } from './limits.ts';

const read = (text: string) => parseJson(Buffer.from(text, 'utf8'));

describe('JSON from a stranger', () => {
  it('is taken as JSON.parse takes it', () => {
    const text = '{"a":[1,2.5,-3e2,"x:{[\\"\\\\",null,true],"":{"b":{}},"__proto__":{"c":1},"z":"\\u0000\\ud800"}';
    expect(read(text)).toEqual({ value: JSON.parse(text) });
  });

  it('may be nested 64 deep and no deeper', () => {
    expect(read('['.repeat(64) + ']'.repeat(64))).toHaveProperty('value');
    expect(read('['.repeat(65) + ']'.repeat(65))).toEqual({ refused: expect.stringContaining('line 1, column 65') });
  });

  it('is refused before it is parsed when it is 20,000 arrays within each other', () => {
    expect(read('['.repeat(20_000))).toEqual({ refused: expect.stringContaining('deeper than 64') });
  });

  it('does not count what is written in strings as nesting', () => {
    expect(read(JSON.stringify({ text: '[{'.repeat(500) }))).toHaveProperty('value');
  });

  it('is refused when it is no UTF-8', () => {
    expect(parseJson(Buffer.from([0x22, 0xff, 0x22]))).toEqual({ refused: 'it is not UTF-8 in line 1' });
  });

  it.each([
    ['', 'it is empty'],
    ['  \n', 'it is empty'],
    ['{"a":1,\n "b":1,}', 'line 2, column 8'],
    ['{"a":}', 'Unexpected token'],
    ['{"a":1,\n "b":', 'line 2, column 6'],
    ['["abc', 'line 1, column 6'],
    ['[1] x', 'line 1, column 5'],
    ['{"a":"\u0000"}', 'line 1, column 7'],
    ['[1e999]', 'a number is too large'],
  ])('names what is wrong with %j', (text, message) => {
    expect(read(text)).toEqual({ refused: expect.stringContaining(message) });
  });

  it.each([
    ['{"a":1,"a":1}', 'column 8'],
    ['[{"a":{"b":1,"c":"x:","b":2}}]', 'column 23'],
    ['{"a":1,"\\u0061":2}', 'column 8'],
  ])('is refused when an object names a member twice: %s', (text, place) => {
    expect(read(text)).toEqual({ refused: expect.stringMatching(new RegExp(`twice at line 1, ${place}$`)) });
  });

  it('may name a member in one object as in another', () => {
    expect(read('[{"a":1},{"a":{"a":[{"a":2}]}}]')).toHaveProperty('value');
  });
});

describe('JSON from a stranger who sends much', () => {
  const filler = 'x'.repeat(100);
  const items = Array.from({ length: 30_000 }, (_, index) => ({ index, filler, 'a,b': '],[' }));
  const large = JSON.stringify(items);

  async function readInTurns(text: string | Uint8Array) {
    let turnCount = 0;
    const nextTurn = async (): Promise<void> => {
      turnCount += 1;
    };
    const read = await parseJsonInTurns(typeof text === 'string' ? Buffer.from(text) : text, nextTurn);
    return { read, turnCount };
  }

  it('is read in as many turns as it is long, to the same value', async () => {
    const { read, turnCount } = await readInTurns(` ${large}\n`);
    expect(read).toEqual({ value: items });
    expect(turnCount).toBeGreaterThan(large.length / sliceBytes);
  });

  it('is read at once where it is little', async () => {
    expect(await readInTurns('[1]')).toEqual({ read: { value: [1] }, turnCount: 0 });
  });

  it('is read whole where it is no list', async () => {
    expect((await readInTurns(JSON.stringify({ items }))).read).toEqual({ value: { items } });
  });

  it.each<[string, string]>([
    ['a comma at its end', large.replace(/\]$/, ',]')],
    ['a comma at its beginning', large.replace('[', '[,')],
    ['two commas in it', large.replace(/\},\{/g, '},,{')],
    ['more after it', `${large}[]`],
    ['an end too many', `${large}]`],
    ['an end within it', large.replace(/\},\{/g, '}],[{')],
    ['an end too few', large.slice(0, -1)],
    ['a bad item at its end', large.replace(/\}\]$/, '}x]')],
  ])('is refused at its place with %s', async (_, text) => {
    const { refused } = parseJson(Buffer.from(text)) as { refused: string };
    const { read } = await readInTurns(text);
    expect(read).toEqual({ refused: expect.stringMatching(/ at line 1, column \d+$/) });
    expect((read as { refused: string }).refused.split(' at ').at(-1)).toBe(refused.split(' at ').at(-1));
  });

  it('is refused where a member is named twice in any of it', async () => {
    const { read } = await readInTurns(large.replace(/\}\]$/, ',"index":1}]'));
    expect(read).toEqual({ refused: expect.stringMatching(/twice at line 1, column \d{7}$/) });
  });

  it.each<[string, string]>([
    ['a million members', `{${Array.from({ length: 1_000_000 }, (_, index) => `"${index.toString(36)}":1`).join()}}`],
    ['five million elements', `[${'0,'.repeat(4_999_000)}0]`],
    ['three million lists', `[${'[],'.repeat(3_300_000)}[]]`],
  ])('is refused before it is parsed with %s', async (_, text) => {
    expect((await readInTurns(text)).read).toMatchObject({
      refused: expect.stringMatching(/more than 1\d*000 /),
      isTooLarge: true,
    });
  });

  it('is told the line that is not UTF-8, however many there are', async () => {
    const lines = Buffer.from('\n'.repeat(3_000_000) + '"x"');
    lines[lines.length - 2] = 0xff;
    expect((await readInTurns(lines)).read).toEqual({ refused: 'it is not UTF-8 in line 3000001' });
    const first = Buffer.concat([Buffer.of(0xff), lines]);
    expect((await readInTurns(first)).read).toEqual({ refused: 'it is not UTF-8 in line 1' });
  });
});
