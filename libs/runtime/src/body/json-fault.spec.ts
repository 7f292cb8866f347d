import fc from 'fast-check';
import { jsonFaultAt } from './json-fault.ts';

describe('where a text stops being JSON', () => {
  it.each<[string, number]>([
    ['', 0],
    ['nul', 0],
    ['[1,2,]', 5],
    ['[1 2]', 3],
    ['[01]', 2],
    ['[1.]', 2],
    ['{"a":NaN}', 5],
    ['{"a" 1}', 5],
    ['{"a":1,}', 7],
    ['{,}', 1],
    ["{'a':1}", 1],
    ['{"a":1}]', 7],
    ['[}', 1],
    ['{]', 1],
    ['{} {}', 3],
    ['["a\nb"]', 3],
    ['["\\x"]', 2],
    ['["\\u12g4"]', 2],
    ['[1', 2],
    ['["a', 3],
    ['[-]', 1],
    ['\u00a0[]', 0],
  ])('of %j is %d', (text, at) => {
    expect(() => {
      JSON.parse(text);
    }).toThrow(SyntaxError);
    expect(jsonFaultAt(text)).toBe(at);
  });

  it('is at the end of what is JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(jsonFaultAt(text)).toBe(text.length);
      }),
    );
  });

  it('is named exactly where the parser refuses the text', () => {
    const put = fc.constantFrom('"', ',', ':', '[', '}', 'x', '\\', '\n', '1', '-');
    fc.assert(
      fc.property(fc.json(), fc.nat(), put, (json, place, character) => {
        const at = place % (json.length + 1);
        const text = json.slice(0, at) + character + json.slice(at);
        const fault = jsonFaultAt(text);
        // Whole, or short of its end; else no text that begins so far is JSON.
        if (fault === text.length) return;
        expect(isJson(text)).toBe(false);
        expect(isJson(text.slice(0, fault + 1))).toBe(false);
      }),
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
