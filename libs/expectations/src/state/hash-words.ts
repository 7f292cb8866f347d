// Hashes in columns of words: four words each, from a place on.
import type { Hash } from '../hash.ts';

export function putHash(words: Int32Array, at: number, hash: Hash): void {
  words[at] = hash.a;
  words[at + 1] = hash.b;
  words[at + 2] = hash.c;
  words[at + 3] = hash.d;
}

export function hashAt(words: Int32Array, at: number): Hash {
  return { a: words[at] ?? 0, b: words[at + 1] ?? 0, c: words[at + 2] ?? 0, d: words[at + 3] ?? 0 };
}

export function isHashAt(words: Int32Array, at: number, hash: Hash): boolean {
  return words[at] === hash.a && words[at + 1] === hash.b && words[at + 2] === hash.c && words[at + 3] === hash.d;
}
