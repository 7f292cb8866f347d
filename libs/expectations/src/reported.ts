// A fact as reported (§9.2), read from JSON. Its `source` is not read: the reporter is who reports it (§13.5).
import { type Hash, hashString, hashWith } from './hash.ts';
import { parseInstant } from './instant.ts';
import { type Content, isContent, isName } from './raised.ts';
import { assert } from './unreachable.ts';

export interface Reported {
  readonly content: Content;
  readonly factKey: string;
  /** As the fact says, in epoch milliseconds: part of its identity, before it is cut to the receipt. */
  readonly observedAt: number;
  readonly subjectType: string | null;
  readonly subjectId: string | null;
}

/** A fact, or what is wrong with it. */
export function readReported(value: unknown): Reported | { readonly message: string; readonly factKey: string | null } {
  if (!isContent(value)) return { message: 'a fact must be a JSON object', factKey: null };
  const { factKey, subject } = value;
  if (!isName(factKey)) return { message: 'factKey: must be a non-empty string', factKey: null };
  const observedAt = parseInstant(value['observedAt']);
  if (Number.isNaN(observedAt)) {
    return { message: 'observedAt: must be an RFC 3339 instant with an offset, from 1970 and before 9800', factKey };
  }
  if (subject === undefined || subject === null) {
    return { content: value, factKey, observedAt, subjectType: null, subjectId: null };
  }
  if (!isContent(subject) || !isName(subject['type']) || !isName(subject['id'])) {
    return { message: 'subject: must be an object with a non-empty type and id', factKey };
  }
  return { content: value, factKey, observedAt, subjectType: subject['type'], subjectId: subject['id'] };
}

/** By what a fact is known again, and what its key is found by. */
export interface Identity {
  readonly keyHash: Hash;
  readonly factHash: Hash;
  /** As the fact says, in epoch milliseconds. */
  readonly observedAt: number;
}

/** Two facts are the same when reporter, key and the instant observed are (semantics, *Facts*). */
export function identify(reporter: string, { content, factKey, observedAt }: Reported): Identity {
  const keyHash = hashKey(factKey);
  lastContent = content;
  lastReporter = reporter;
  lastIdentity = { keyHash, factHash: hashWith(keyHash, reporter, observedAt), observedAt };
  return lastIdentity;
}

/** Likewise of a fact that has been recorded. */
export function identityOf(reporter: string, content: Content): Identity {
  if (lastIdentity !== undefined && lastContent === content && lastReporter === reporter) return lastIdentity;
  const reported = readReported(content);
  assert(!('message' in reported), 'a recorded fact has been read before it was recorded');
  return identify(reporter, reported);
}

// The fact identified last: `evolve` needs what `decide` has just found out.
let lastContent: Content | undefined;
let lastReporter = '';
let lastIdentity: Identity | undefined;

/** By it a fact received early is found again. */
export function hashKey(factKey: string): Hash {
  return hashString(factKey);
}
