// Any string survives as text that any store takes.
import fc from 'fast-check';
import { fromSafeText, toSafeText } from './safe-text.ts';

const anyString = fc
  .string({ unit: 'binary' })
  .chain((text) => fc.constantFrom(text, `${text}\0`, `\ud800${text}\udc00`, `${text}\udfff`));

describe('safe text', () => {
  it('gives back any string, lone surrogates and NUL too', () => {
    fc.assert(fc.property(anyString, (text) => expect(fromSafeText(toSafeText(text))).toBe(text)));
  });

  it('has neither NUL nor lone surrogates', () => {
    fc.assert(fc.property(anyString, (text) => expect(toSafeText(text)).toMatch(/^[^\0\p{Surrogate}]*$/u)));
  });

  it('leaves plain text as it is', () => {
    expect(toSafeText('acme-42 日本')).toBe('acme-42 日本');
  });
});
