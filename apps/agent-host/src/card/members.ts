// Members of a card as they are written, each with its type. Unknown ones are claims that nobody would keep.
import type { CardRefusal } from './card-refusal.ts';

export type Members = Readonly<Record<string, unknown>>;

type Kind = 'text' | 'flag' | 'list' | 'object';

export interface Shape {
  readonly [name: string]: { readonly kind: Kind; readonly isRequired?: true };
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is wrong with the members of `value`, by the shape. */
export function checkShape(value: unknown, at: string, shape: Shape): CardRefusal[] {
  if (!isMembers(value)) return [{ claim: at, code: 'wrong-type', reason: 'it must be an object' }];
  const place = (name: string): string => (at === '' ? name : `${at}.${name}`);
  const unknown = Object.keys(value)
    .filter((name) => !Object.hasOwn(shape, name))
    .map((name) => refusal(place(name), 'unknown-member', 'no such member is known: it would be served to nobody'));
  const known = Object.entries(shape).flatMap(([name, { kind, isRequired }]): CardRefusal[] => {
    const member = value[name];
    if (member === undefined || member === null) {
      return isRequired === true ? [refusal(place(name), 'missing', `it must be given (${words[kind]})`)] : [];
    }
    if (isOf(kind, member)) return [];
    const hint = kind === 'text' && typeof member === 'number' ? ': put it in quotes' : '';
    return [refusal(place(name), 'wrong-type', `it must be ${words[kind]}${hint}`)];
  });
  return [...known, ...unknown];
}

const words: Readonly<Record<Kind, string>> = {
  text: 'a text',
  flag: 'true or false',
  list: 'a list',
  object: 'an object',
};

function isOf(kind: Kind, value: unknown): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string' && value !== '';
    case 'flag':
      return typeof value === 'boolean';
    case 'list':
      return Array.isArray(value);
    case 'object':
      return isMembers(value);
  }
}

function refusal(claim: string, code: CardRefusal['code'], reason: string): CardRefusal {
  return { claim, code, reason };
}

/** The list's elements; none where there is no list, which its shape has said. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
