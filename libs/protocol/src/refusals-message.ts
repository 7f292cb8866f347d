// Builds the message that tells an agent what of its own was not recorded (Expectations §8.1: "or by another means").
// Pure. It activates nothing: an agent that heeds the extension raises nothing in answer to it, and so nothing goes round.
import type { RefusalCode } from '#expectations';
import type { MessageRequest } from './message-request.ts';

/** Where in a message's metadata the refusals stand. */
export const REFUSALS_KEY = 'duewatch.refusals';

/** One expectation that was not recorded. */
export interface ToldRefusal {
  readonly taskId: string;
  /** Null where it gave no id that could be read. */
  readonly expectationId: string | null;
  readonly code: RefusalCode;
  /** For a person: what is wrong and, for a field, where. */
  readonly message: string;
}

/** The request that tells of refusals: what it tells of has its answer, and goes on. */
export type RefusalsRequest = MessageRequest<readonly [], { readonly [REFUSALS_KEY]: readonly ToldRefusal[] }>;

const idCharacters = 200;
const messageCharacters = 1_000;

/** The request for refusals of one context, at least one; overlong ids and messages are cut. */
export function refusalsRequest(
  messageId: string,
  contextId: string,
  refusals: readonly ToldRefusal[],
): RefusalsRequest {
  const told = refusals.map(({ taskId, expectationId, code, message }) => ({
    ...{ taskId, expectationId: expectationId === null ? null : cut(expectationId, idCharacters) },
    ...{ code, message: cut(message, messageCharacters) },
  }));
  return {
    message: {
      role: 'ROLE_USER',
      messageId,
      contextId,
      referenceTaskIds: [...new Set(told.map(({ taskId }) => taskId))],
      parts: [{ text: textOf(told) }],
      extensions: [],
      metadata: { [REFUSALS_KEY]: told },
    },
    configuration: { returnImmediately: true },
  };
}

function textOf(refusals: readonly ToldRefusal[]): string {
  const count = refusals.length === 1 ? 'an expectation' : `${refusals.length} expectations`;
  const lines = refusals.map(
    ({ expectationId, taskId, message }) => `- ${expectationId ?? 'one without an id'} (task ${taskId}): ${message}`,
  );
  return [`The watcher has not recorded ${count}. This is for your information: no answer is needed.`, ...lines].join(
    '\n',
  );
}

function cut(text: string, characters: number): string {
  return text.length > characters ? `${text.slice(0, characters)}…` : text;
}
