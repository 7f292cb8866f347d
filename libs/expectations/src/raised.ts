// An expectation as raised (§8), read from JSON: every field checked, nothing decided.
import { addDuration, type Duration, parseDuration } from './duration.ts';
import { type Hash, hashJson } from './hash.ts';
import { parseInstant } from './instant.ts';
import type { Json } from './input.ts';

export type Content = { readonly [key: string]: Json };

/** The content's fields; instants in epoch milliseconds. */
export interface Raised {
  readonly content: Content;
  readonly contentHash: Hash;
  readonly expectationId: string;
  readonly kind: string;
  readonly subjectType: string;
  readonly subjectId: string;
  readonly expects: string;
  readonly factKey: string;
  readonly dueAt: number;
  readonly grace: Duration | null;
  readonly anchorId: string | null;
  readonly offset: Duration | null;
  readonly after: readonly string[] | null;
  /** Infinity where there is none. */
  readonly horizon: number;
  readonly basis: string;
  readonly supersedes: string | null;
}

/** What could be read of content that is not an expectation, and why it is none. */
export interface Unreadable {
  readonly expectationId: string | null;
  readonly contentHash: Hash;
  /** Names the field. */
  readonly message: string;
}

type Read = { readonly raised: Raised } | { readonly unreadable: Unreadable };

/** An expectation, or what is wrong with it: the first field in the order of §8's table. */
export function readRaised(value: unknown): Read {
  if (lastRead !== undefined && lastValue === value) return lastRead;
  const contentHash = hashJson(value);
  const read = isContent(value) ? readContent(value, contentHash) : notAnObject(contentHash);
  lastValue = value;
  lastRead = read;
  return read;
}

// The content read last: what `decide` has read to judge it, `evolve` reads again to record it.
let lastValue: unknown;
let lastRead: Read | undefined;

/** Due plus grace, in epoch milliseconds. */
export function addGrace(dueAt: number, grace: Duration | null): number {
  return grace === null ? dueAt : addDuration(dueAt, grace);
}

export function isContent(value: unknown): value is Content {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function notAnObject(contentHash: Hash): Read {
  return { unreadable: { expectationId: null, contentHash, message: 'an expectation must be a JSON object' } };
}

function readContent(content: Content, contentHash: Hash): Read {
  const message = firstFault(content);
  const expectationId = isName(content['expectationId']) ? content['expectationId'] : null;
  if (message !== undefined || expectationId === null) {
    return {
      unreadable: { expectationId, contentHash, message: message ?? 'expectationId: must be a non-empty string' },
    };
  }
  const subject = content['subject'] as Content;
  const anchor = (content['anchor'] ?? null) as Content | null;
  return {
    raised: {
      content,
      contentHash,
      expectationId,
      kind: content['kind'] as string,
      subjectType: subject['type'] as string,
      subjectId: subject['id'] as string,
      expects: content['expects'] as string,
      factKey: (content['satisfiedBy'] as Content)['factKey'] as string,
      dueAt: parseInstant(content['dueAt']),
      grace: parseDuration(content['grace']) ?? null,
      anchorId: anchor === null ? null : (anchor['expectationId'] as string),
      offset: anchor === null ? null : (parseDuration(anchor['offset']) ?? null),
      after: (content['after'] as readonly string[] | undefined) ?? null,
      horizon: content['horizon'] === undefined ? Infinity : parseInstant(content['horizon']),
      basis: content['basis'] as string,
      supersedes: (content['supersedes'] as string | undefined) ?? null,
    },
  };
}

const INSTANT = 'must be an RFC 3339 instant with an offset, from 1970 and before 9800';
const DURATION = 'must be an ISO 8601 duration such as PT2H, not negative, at most 36,600 days';
const NAME = 'must be a non-empty string';

/** The first field that is missing, empty or of the wrong type or form, with the reason. */
function firstFault(content: Content): string | undefined {
  if (!isName(content['expectationId'])) return `expectationId: ${NAME}`;
  if (!isName(content['kind'])) return `kind: ${NAME}`;
  const subject = content['subject'];
  if (!isContent(subject)) return 'subject: must be an object with type and id';
  if (!isName(subject['type'])) return `subject.type: ${NAME}`;
  if (!isName(subject['id'])) return `subject.id: ${NAME}`;
  if (!isName(content['expects'])) return `expects: ${NAME}`;
  const matcher = content['satisfiedBy'];
  if (!isContent(matcher) || !isName(matcher['factKey'])) return `satisfiedBy.factKey: ${NAME}`;
  if (Number.isNaN(parseInstant(content['dueAt']))) return `dueAt: ${INSTANT}`;
  if (!isName(content['basis'])) return `basis: ${NAME}`;
  return faultOfOptional(content);
}

function faultOfOptional(content: Content): string | undefined {
  const { grace, after, horizon, supersedes } = content;
  if (grace !== undefined && parseDuration(grace) === undefined) return `grace: ${DURATION}`;
  if (after !== undefined && !(Array.isArray(after) && after.every(isName)))
    return `after: must be a list of non-empty strings`;
  if (horizon !== undefined && Number.isNaN(parseInstant(horizon))) return `horizon: ${INSTANT}`;
  if (supersedes !== undefined && !isName(supersedes)) return `supersedes: ${NAME}`;
  if (supersedes !== undefined && supersedes === content['expectationId']) return 'supersedes: must not name itself';
  return faultOfAnchor(content);
}

function faultOfAnchor(content: Content): string | undefined {
  const { anchor } = content;
  if (anchor === undefined) return undefined;
  if (!isContent(anchor)) return 'anchor: must be an object with expectationId and offset';
  if (!isName(anchor['expectationId'])) return `anchor.expectationId: ${NAME}`;
  if (parseDuration(anchor['offset']) === undefined) return `anchor.offset: ${DURATION}`;
  return anchor['expectationId'] === content['expectationId']
    ? 'anchor.expectationId: must not name itself'
    : undefined;
}

export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
