// Why something cannot be followed, once that is certain.
import type { TaskReadError } from '#protocol';
import type { Unfollowed } from '#runtime';

/** Why an agent did not say how a task stands. */
export type NoAnswer = Pick<Unfollowed, 'cause' | 'message'>;

/** Of an agent's tasks; undefined while it is not certain. */
export type Standing = 'followed' | Unfollowed | undefined;

/** After so many failures in a row it is none that passes. */
export const certainCount = 4;

export function noAnswer({ fault, message }: TaskReadError): NoAnswer {
  return { cause: fault, message };
}
