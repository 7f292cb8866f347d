import { parseJson } from './json-text.ts';

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
