// Subjects and keys that look like personal data (Expectations §14): they should be stable internal identifiers.
// It must never refuse anything, and rather says nothing than take the number of a shipment for a telephone's.
import type { ItemPart } from './limits.ts';
import { isObject } from './shape.ts';

/** What a text looks like that a person can be reached by. */
export type PersonalLook = 'an e-mail address' | 'a telephone number';

// A plus and the digits of a country's numbers; digits in the groups of North America; an area code with its zero in
// parentheses; or a URI that says it is one. Bare digits are anything.
const telephones = [
  /(?<![\w+])\+[1-9](?:[ ().-]{0,2}\d){7,14}(?![\d:])/,
  /(?<![\w.-])(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}(?![\w-])/,
  /(?<![\w.-])\(0\d{1,4}\)[ -]?\d{3,4}[ -]?\d{3,4}(?![\w-])/,
  /\btel:\+?\d[\d().-]{5,}/i,
];
const domain = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,8}\.[a-z]{2,24}(?![a-z0-9])/i;
/** Of a longer text only the beginning is looked at. */
const lookedCharacters = 1_024;
/** So many at signs are looked at. */
const signsCount = 5;

/** What the text has in it; undefined where it is nothing of the kind. */
export function personalLook(text: string): PersonalLook | undefined {
  const beginning = text.slice(0, lookedCharacters);
  if (hasMailAddress(beginning)) return 'an e-mail address';
  return telephones.some((telephone) => telephone.test(beginning)) ? 'a telephone number' : undefined;
}

const keysOf: Readonly<Record<ItemPart, readonly (readonly string[])[]>> = {
  expectations: [
    ['subject', 'id'],
    ['satisfiedBy', 'factKey'],
  ],
  facts: [['factKey'], ['subject', 'id']],
};

/** The first subject or key of the item that looks so, and what is to be said of it. */
export function personalNote(
  item: unknown,
  part: ItemPart,
): { readonly path: string; readonly message: string } | undefined {
  for (const names of keysOf[part]) {
    const value = names.reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), item);
    const look = typeof value === 'string' ? personalLook(value) : undefined;
    if (look === undefined) continue;
    const path = names.join('.');
    return { path, message: `looks like ${look}: key subjects and facts by stable internal identifiers (§14)` };
  }
  return undefined;
}

function hasMailAddress(text: string): boolean {
  let at = text.indexOf('@');
  for (let seen = 0; at !== -1 && seen < signsCount; seen += 1) {
    const isAfterName = /[\w%+-]/.test(text.charAt(at - 1));
    if (isAfterName && domain.test(text.slice(at + 1, at + 320))) return true;
    at = text.indexOf('@', at + 1);
  }
  return false;
}
