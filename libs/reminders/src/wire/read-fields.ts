// Reads the fields of what strangers send, one by one, and keeps the first that is wrong. It must never throw.
import { isList, isObject, isStorable, isWithinLength, type JsonObject } from '#protocol';
import type { Refusal } from '../life-cycle/refusal.ts';

const textCharacters = 1_024;
const tagCharacters = 256;
/** Proto's uint32. */
const largestCount = 0xffff_ffff;

export class Fields {
  private readonly object: JsonObject;
  private readonly path: string;
  /** The first thing that is wrong. */
  refusal: Refusal | undefined;

  constructor(object: JsonObject, path: string) {
    this.object = object;
    this.path = path;
  }

  /** Names the first member that is none of these, in camelCase or snake_case; nothing more is said of the others. */
  allowOnly(names: readonly string[]): void {
    const known = new Set(names.flatMap((name) => [name, snakeOf(name)]));
    const unknown = Object.keys(this.object).find((name) => !known.has(name));
    if (unknown !== undefined)
      this.refuse(isWithinLength(unknown, 64) ? unknown : 'one of its members', 'is no field of it');
    for (const name of names) {
      if (snakeOf(name) !== name && this.own(name) !== undefined && this.own(snakeOf(name)) !== undefined) {
        this.refuse(name, 'is there twice');
      }
    }
  }

  /** Text of at most 1,024 characters; undefined where absent. */
  text(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (isText(value) && value !== '' && isWithinLength(value, textCharacters)) return value;
    this.refuse(name, 'must be a text of 1 to 1,024 characters, without NUL or half characters');
    return undefined;
  }

  /** Text that says something, of at most so many bytes. */
  body(name: string, bytes: number): string {
    const value = this.value(name);
    if (value === undefined) this.refuse(name, 'is missing');
    else if (!isText(value)) this.refuse(name, 'must be a text without NUL or half characters');
    else if (value.trim() === '') this.refuse(name, 'must not be blank');
    else if (Buffer.byteLength(value) > bytes) this.refuse(name, `must have at most ${bytes} bytes`);
    else return value;
    return '';
  }

  /** Trimmed, each once. */
  tags(name: string, count: number): readonly string[] {
    const value = this.value(name) ?? [];
    if (!isList(value)) {
      this.refuse(name, 'must be a list of texts');
      return [];
    }
    const tags = new Set<string>();
    for (const [index, item] of value.entries()) {
      const tag = isText(item) ? item.trim() : '';
      if (tag === '' || !isWithinLength(tag, tagCharacters)) {
        this.refuse(
          `${name}[${index}]`,
          `must be a text of 1 to ${tagCharacters} characters, without NUL or half characters`,
        );
        return [];
      }
      tags.add(tag);
    }
    if (tags.size > count) this.refuse(name, `must be at most ${count} different ones`);
    return [...tags];
  }

  /** A whole number from `least` on; undefined where absent. */
  count(name: string, least: number): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= largestCount) return value;
    this.refuse(name, `must be a whole number from ${least} to ${largestCount}`);
    return undefined;
  }

  flag(name: string): boolean {
    const value = this.value(name) ?? false;
    if (typeof value === 'boolean') return value;
    this.refuse(name, 'must be true or false');
    return false;
  }

  /** One of the choices, the fallback where it is absent or, as proto has it, unspecified. */
  choice<Choice extends string>(
    name: string,
    choices: readonly Choice[],
    fallback: Choice,
    unspecified?: string,
  ): Choice {
    const value = this.value(name) ?? fallback;
    if (value === unspecified) return fallback;
    const chosen = choices.find((choice) => choice === value);
    if (chosen === undefined) this.refuse(name, `must be one of ${choices.join(', ')}`);
    return chosen ?? fallback;
  }

  members(name: string): JsonObject | undefined {
    const value = this.value(name);
    if (value === undefined || isObject(value)) return value;
    this.refuse(name, 'must be an object');
    return undefined;
  }

  refuse(name: string, message: string): void {
    const field = this.path === '' ? name : `${this.path}.${name}`;
    this.refusal ??= { code: 'invalid', field, message };
  }

  /** As proto-JSON has it, null is absent, and either spelling of a name will do. */
  private value(name: string): unknown {
    return this.own(name) ?? this.own(snakeOf(name)) ?? undefined;
  }

  private own(name: string): unknown {
    return Object.hasOwn(this.object, name) ? this.object[name] : undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isStorable(value);
}

function snakeOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
