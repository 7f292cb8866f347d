// A turn of an agent host, as far as the kit uses it: the agent host's own `Turn` is one, and any host's that has as much.
// The kit imports no host.
import type { OriginOutcome } from './origin.ts';
import { originTextOf } from './origin.ts';
import type { Lapse } from './lapse.ts';

/** What goes with something that is said, in A2A's JSON. */
export interface ServedCarrier {
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly extensions?: readonly string[];
}

export interface ServedArtifact extends ServedCarrier {
  readonly artifactId: string;
  readonly parts: readonly object[];
}

export interface ServedTurn {
  readonly message: {
    readonly messageId: string;
    readonly parts: readonly object[];
    /** What its text parts say. */
    readonly text: string;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly referenceTaskIds: readonly string[];
  };
  readonly taskId: string;
  readonly session: { readonly contextId: string };
  /** What the caller has activated. */
  readonly extensions: readonly string[];
  /** Aborts where the task is canceled. */
  readonly signal: AbortSignal;
  /** A piece of the answer. */
  say(text: string): Promise<void>;
  /** An artifact beside it; from here on there is a Task. */
  artifact(artifact: ServedArtifact): Promise<void>;
  /** Asks the caller, and waits for the next message of the task. */
  ask(question: string): Promise<{ readonly parts: readonly object[] }>;
  /** Ends another task of the same user's. */
  endTask(taskId: string, state: 'canceled' | 'failed', message: string): Promise<'ended' | 'over' | 'unknown'>;
}

/** What a turn ends in; nothing at all completes it. */
export type ServedOutcome =
  | { readonly outcome: 'completed'; readonly message?: string }
  | ({ readonly outcome: 'inputRequired'; readonly message: string } & ServedCarrier)
  | { readonly outcome: 'rejected' | 'failed'; readonly message: string };

/**
 * Fails the task that raised what lapsed (§10.2), with a status message that names the expectation: where it is a task of the
 * user whose turn this is, who is the watcher (§13.1). Rejects where the host does.
 */
export function failOrigin(turn: Pick<ServedTurn, 'endTask'>, lapse: Lapse, why: string): Promise<OriginOutcome> {
  return endOrigin(turn, lapse, 'failed', why);
}

/** Likewise cancels it. */
export function cancelOrigin(turn: Pick<ServedTurn, 'endTask'>, lapse: Lapse, why: string): Promise<OriginOutcome> {
  return endOrigin(turn, lapse, 'canceled', why);
}

async function endOrigin(
  turn: Pick<ServedTurn, 'endTask'>,
  lapse: Lapse,
  state: 'canceled' | 'failed',
  why: string,
): Promise<OriginOutcome> {
  const { originTaskId } = lapse;
  if (originTaskId === '') return 'unknown';
  const ended = await turn.endTask(originTaskId, state, originTextOf(lapse, why));
  return ended === 'ended' ? 'moved' : ended;
}
