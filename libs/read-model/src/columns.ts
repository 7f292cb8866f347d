// The kinds of columns the read model is made of, each with its one way into the database and back.
import { Column, type ColumnOptions, DefaultNamingStrategy, type ValueTransformer } from 'typeorm';
import type { InstantText } from '#expectations';
import { fromStoredText, toStoredText } from './stored-text.ts';

type Options = Pick<ColumnOptions, 'primary' | 'nullable'>;

/** A null stays null in every kind of column. */
function transform<Value, Stored>(to: (value: Value) => Stored, from: (stored: Stored) => Value): ValueTransformer {
  return {
    to: (value: Value | null | undefined) => (value === null || value === undefined ? value : to(value)),
    from: (stored: Stored | null | undefined) => (stored === null || stored === undefined ? stored : from(stored)),
  };
}

const storedText = transform(toStoredText, fromStoredText);
const storedInstant = transform<InstantText, Date | string>((text) => text, instantText);
const storedJson = transform<unknown, string>(
  (value) => JSON.stringify(value),
  (text) => JSON.parse(text),
);
const storedWhole = transform<number, string | number>((value) => value, Number);
const storedHash = transform<string, string>(
  (hex) => hex,
  (uuid) => uuid.replaceAll('-', ''),
);

/** An id, key or text of somebody else's: any string, compared by code points. */
export const OpaqueColumn = (options: Options = {}): PropertyDecorator =>
  Column({ type: 'text', collation: 'C', transformer: storedText, ...options });

/** One of a closed list of our own words. */
export const WordColumn = (options: Options = {}): PropertyDecorator =>
  Column({ type: 'text', collation: 'C', ...options });

/** An instant, exact to the millisecond, as canonical RFC 3339 text in UTC. */
export const InstantColumn = (options: Options = {}): PropertyDecorator =>
  Column({ type: 'timestamptz', transformer: storedInstant, ...options });

/** JSON as text: `jsonb` refuses the NUL and the lone surrogates that JSON can escape. */
export const JsonColumn = (options: Options = {}): PropertyDecorator =>
  Column({ type: 'text', collation: 'C', transformer: storedJson, ...options });

/** A whole number up to 2^53: offsets and counts. */
export const WholeColumn = (options: Options = {}): PropertyDecorator =>
  Column({ type: 'bigint', transformer: storedWhole, ...options });

/** What `identityHash` gives. */
export const HashColumn = (options: Options = {}): PropertyDecorator =>
  Column({ type: 'uuid', transformer: storedHash, ...options });

export const FlagColumn = (options: Options = {}): PropertyDecorator => Column({ type: 'boolean', ...options });

/** UTC with `Z`, without trailing zeros in the fraction, as everywhere else. */
export function instantText(instant: Date | string): InstantText {
  const text = typeof instant === 'string' ? instant : instant.toISOString();
  return text.replace(/\.?0+Z$/, 'Z');
}

/** Columns are called as the properties are, in snake case. */
export class SnakeNaming extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? propertyName.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
  }
}
