// Members of a card as they are written, each with its form. Unknown ones are claims that nobody would keep.
import type { CardRefusal, CardRefusalCode } from './card-refusal.ts';
import { findInText, type TextForm } from './text-form.ts';

export type Members = Readonly<Record<string, unknown>>;

export type Form =
  /** Not empty, unless that is said. */
  | { readonly kind: 'text'; readonly form?: TextForm; readonly mayBeEmpty?: true }
  | { readonly kind: 'flag' }
  /** `isFilled`: A2A's required lists have an element at least (§5.7). */
  | { readonly kind: 'list'; readonly of?: Form; readonly isFilled?: true }
  /** Without `shape`, whatever is in it. */
  | { readonly kind: 'object'; readonly shape?: Shape }
  /** Names of the author's own choice. */
  | { readonly kind: 'map'; readonly of: Form }
  /** Exactly one of the members: the card's codec keeps no other. */
  | { readonly kind: 'one'; readonly shape: Shape; readonly code: CardRefusalCode };

export interface Shape {
  readonly [name: string]: Form & { readonly isRequired?: true };
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is wrong with the members of `value`, by the shape, and with theirs. */
export function checkShape(value: unknown, at: string, shape: Shape): CardRefusal[] {
  if (!isMembers(value)) return [refusal(at, 'wrong-type', 'it must be an object')];
  const place = (name: string): string => (at === '' ? name : `${at}.${name}`);
  const unknown = Object.keys(value)
    .filter((name) => !Object.hasOwn(shape, name))
    .map((name) => refusal(place(name), 'unknown-member', 'no such member is known: it would be served to nobody'));
  const known = Object.entries(shape).flatMap(([name, form]): CardRefusal[] => {
    const given = value[name] ?? undefined;
    // Of a text that need not be given, the schema knows an empty one as none.
    const member = given === '' && form.kind === 'text' && form.isRequired !== true ? undefined : given;
    if (member !== undefined) return checkForm(member, place(name), form);
    return form.isRequired === true ? [refusal(place(name), 'missing', `it must be given (${words[form.kind]})`)] : [];
  });
  return [...known, ...unknown];
}

/** The same of a value of any form. */
export function checkForm(value: unknown, at: string, form: Form): CardRefusal[] {
  if (!isOf(form.kind, value)) {
    const hint = form.kind === 'text' && typeof value === 'number' ? ': put it in quotes' : '';
    return [refusal(at, 'wrong-type', `it must be ${words[form.kind]}${hint}`)];
  }
  switch (form.kind) {
    case 'flag':
      return [];
    case 'text': {
      if (value === '' && form.mayBeEmpty !== true) return [refusal(at, 'wrong-form', 'it must not be empty')];
      const finding = form.form && findInText(value as string, form.form);
      return finding === undefined ? [] : [refusal(at, 'wrong-form', finding)];
    }
    case 'list':
      return checkList(value as readonly unknown[], at, form);
    case 'object':
      return form.shape === undefined ? [] : checkShape(value, at, form.shape);
    case 'map':
      return Object.entries(value as Members).flatMap(([name, member]) => checkForm(member, `${at}.${name}`, form.of));
    case 'one': {
      const names = Object.keys(form.shape);
      const given = names.filter((name) => ((value as Members)[name] ?? undefined) !== undefined);
      if (given.length === 1) return checkShape(value, at, form.shape);
      return [refusal(at, form.code, `it must be one of ${names.join(', ')}`)];
    }
  }
}

function checkList(list: readonly unknown[], at: string, { of, isFilled }: Form & { kind: 'list' }): CardRefusal[] {
  if (list.length === 0) return isFilled === true ? [refusal(at, 'missing', 'it must have an element at least')] : [];
  return of === undefined ? [] : list.flatMap((element, index) => checkForm(element, `${at}[${index}]`, of));
}

const words: Readonly<Record<Form['kind'], string>> = {
  text: 'a text',
  flag: 'true or false',
  list: 'a list',
  object: 'an object',
  map: 'an object',
  one: 'an object',
};

function isOf(kind: Form['kind'], value: unknown): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'flag':
      return typeof value === 'boolean';
    case 'list':
      return Array.isArray(value);
    case 'object':
    case 'map':
    case 'one':
      return isMembers(value);
  }
}

function refusal(claim: string, code: CardRefusalCode, reason: string): CardRefusal {
  return { claim, code, reason };
}

/** The list's elements; none where there is no list, which its shape has said. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
