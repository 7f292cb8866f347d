import { readVector } from './vector.ts';

describe('a vector', () => {
  it('is taken where every input has an instant and a type', () => {
    const vector = { inputs: [{ at: '2026-01-01T00:00:00Z', type: 'tick' }] };
    expect(readVector(JSON.stringify(vector))).toEqual(vector);
  });

  it.each([
    ['{', /JSON/],
    ['null', /"inputs"/],
    ['[]', /"inputs"/],
    ['{"inputs":{}}', /"inputs"/],
    ['{"inputs":[{"at":"2026-01-01T00:00:00Z","type":"tick"},null]}', /inputs\[1\] must be an object/],
    ['{"inputs":[{"type":"tick"}]}', /inputs\[0\] must have "at"/],
    ['{"inputs":[{"at":"today","type":"tick"}]}', /inputs\[0\] must have "at"/],
    ['{"inputs":[{"at":"2026-01-01T00:00:00Z"}]}', /inputs\[0\] must have "type", one of .*tick/],
    ['{"inputs":[{"at":"2026-01-01T00:00:00Z","type":"toString"}]}', /inputs\[0\] must have "type"/],
  ])('says of %s what is wrong', (text, wrong) => {
    expect(() => readVector(text)).toThrow(wrong);
  });
});
