// Opaque strings as PostgreSQL can hold them. A log may hold NUL and lone surrogates, which `text` cannot; every
// opaque column is written and read through here, and so is every text compared with one.
import { hash } from 'node:crypto';

const unstorable = /[\0\\\p{Surrogate}]/u;
const escapes = /\\(?:\\|0|u([0-9a-f]{4}))/g;

/** Writes `\` as `\\`, NUL as `\0`, a lone surrogate as `\ud800`: equal exactly where the strings are, and reversible. */
export function toStoredText(text: string): string {
  return unstorable.test(text) ? text.replace(/[\0\\\p{Surrogate}]/gu, escape) : text;
}

/** The inverse of `toStoredText`. */
export function fromStoredText(stored: string): string {
  return stored.includes('\\') ? stored.replace(escapes, unescape) : stored;
}

function escape(character: string): string {
  if (character === '\\') return '\\\\';
  return character === '\0' ? '\\0' : `\\u${character.charCodeAt(0).toString(16)}`;
}

function unescape(escaped: string, codeUnit: string | undefined): string {
  if (codeUnit !== undefined) return String.fromCharCode(parseInt(codeUnit, 16));
  return escaped === '\\0' ? '\0' : '\\';
}

/**
 * 128 bits (32 hexadecimal digits) that stand for a list of strings in keys and indexes: ids may have 4 kB, an entry
 * of an index may not. The tenant is always one of the strings.
 */
export function identityHash(...strings: readonly string[]): string {
  return hash('sha256', strings.map(toStoredText).join('\0'), 'hex').slice(0, 32);
}
