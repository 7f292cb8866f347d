import fc from 'fast-check';
import { fromStoredText, identityHash, toStoredText } from './stored-text.ts';

/** Any UTF-16 there is, with what is escaped more often than chance would have it. */
const anyText = fc
  .array(fc.oneof(fc.constantFrom('\0', '\\', '0', 'u', 'd800', '\ud800', '\udc00', '😀'), fc.string()))
  .map((parts) => parts.join(''));

describe('stored text', () => {
  it('comes back as it was, and can be stored', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const stored = toStoredText(text);
        expect(fromStoredText(stored)).toBe(text);
        expect(stored).not.toMatch(/\0|\p{Surrogate}/u);
      }),
    );
  });

  it('is equal only where the texts are', () => {
    fc.assert(
      fc.property(anyText, anyText, (one, other) => {
        expect(toStoredText(one) === toStoredText(other)).toBe(one === other);
      }),
    );
  });

  it('is the text itself where nothing in it needs more', () => {
    expect(toStoredText('PA-2026/0901 é 😀')).toBe('PA-2026/0901 é 😀');
  });
});

describe('an identity hash', () => {
  it('is of the strings one by one, whatever they hold', () => {
    const hashes = [
      ['ab', 'c'],
      ['a', 'bc'],
      ['abc'],
      ['a\0b', 'c'],
      ['a', 'b\0c'],
      ['\ud800'],
      ['\ufffd'],
      ['\\ud800'],
    ];
    expect(new Set(hashes.map((strings) => identityHash(...strings))).size).toBe(hashes.length);
    expect(identityHash('a', 'b')).toMatch(/^[0-9a-f]{32}$/);
  });
});
