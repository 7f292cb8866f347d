// Reads what an agent or a feed wrote: the extension's block, an expectation, a fact, a subject. Judges form alone.
import type { Subject } from '#expectations';
import { readDuration, zero } from './duration.ts';
import type { Duration } from './duration.ts';
import { readInstant } from './instant.ts';
import { isObject, isText, listOf } from './json.ts';

const extensionUri = 'https://rsaxb.com/a2a/expectations/v1';

/** The fields of a well-formed expectation. */
export interface Raised {
  readonly id: string;
  readonly kind: string;
  readonly subject: Subject;
  readonly expects: string;
  readonly factKey: string;
  readonly dueAt: number;
  readonly grace: Duration;
  readonly basis: string;
  readonly horizon: number | undefined;
  readonly anchor: { readonly id: string; readonly offset: Duration } | undefined;
  readonly after: readonly string[];
  readonly supersedes: string | undefined;
}

/** A well-formed fact. */
export interface Said {
  readonly factKey: string;
  readonly saidAt: number;
  readonly subject: Subject | undefined;
}

/** The block's three parts; a part that is not a list is ignored. */
export function readBlock(carrier: unknown): {
  expectations: readonly unknown[];
  withdraw: readonly unknown[];
  facts: readonly unknown[];
} {
  const metadata = isObject(carrier) ? carrier['metadata'] : undefined;
  const own = isObject(metadata) ? metadata[extensionUri] : undefined;
  const block = isObject(own) ? own : {};
  return {
    expectations: listOf(block['expectations']),
    withdraw: listOf(block['withdraw']),
    facts: listOf(block['facts']),
  };
}

function readSubject(value: unknown): Subject | undefined {
  if (!isObject(value) || !isText(value['type']) || !isText(value['id'])) return undefined;
  return { type: value['type'], id: value['id'] };
}

function readAnchor(value: unknown, ownId: string): { id: string; offset: Duration } | undefined {
  if (!isObject(value) || !isText(value['expectationId']) || value['expectationId'] === ownId) return undefined;
  const offset = readDuration(value['offset']);
  return offset === undefined ? undefined : { id: value['expectationId'], offset };
}

/** The id where there is one that can be read. */
export function readableId(item: unknown): string | null {
  return isObject(item) && isText(item['expectationId']) ? item['expectationId'] : null;
}

/** The expectation, or undefined where anything in it is missing, empty or malformed. */
export function readExpectation(item: unknown): Raised | undefined {
  if (!isObject(item)) return undefined;
  const { expectationId: id, kind, expects, basis, satisfiedBy, supersedes } = item;
  const subject = readSubject(item['subject']);
  const dueAt = readInstant(item['dueAt']);
  if (!isText(id) || !isText(kind) || !isText(expects) || !isText(basis)) return undefined;
  if (!isObject(satisfiedBy) || !isText(satisfiedBy['factKey'])) return undefined;
  if (subject === undefined || dueAt === undefined) return undefined;

  const grace = item['grace'] === undefined ? zero : readDuration(item['grace']);
  const after = item['after'] === undefined ? [] : item['after'];
  const horizon = item['horizon'] === undefined ? undefined : readInstant(item['horizon']);
  const anchor = item['anchor'] === undefined ? undefined : readAnchor(item['anchor'], id);
  if (grace === undefined || !Array.isArray(after) || !after.every(isText)) return undefined;
  if (item['horizon'] !== undefined && horizon === undefined) return undefined;
  if (item['anchor'] !== undefined && anchor === undefined) return undefined;
  if (supersedes !== undefined && (!isText(supersedes) || supersedes === id)) return undefined;

  const factKey = satisfiedBy['factKey'];
  return { id, kind, subject, expects, factKey, dueAt, grace, basis, horizon, anchor, after, supersedes };
}

/** The fact, or undefined where it has no key, no instant, or a subject with half its fields; a null subject is none. */
export function readFact(item: unknown): Said | undefined {
  if (!isObject(item) || !isText(item['factKey'])) return undefined;
  const saidAt = readInstant(item['observedAt']);
  const named = item['subject'] ?? undefined;
  const subject = readSubject(named);
  if (saidAt === undefined || (named !== undefined && subject === undefined)) return undefined;
  return { factKey: item['factKey'], saidAt, subject };
}
