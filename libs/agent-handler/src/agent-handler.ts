// The module beside `agent-card.yaml`: its default export is an `AgentHandler`.
import type { ExtensionEntry } from './extension-entry.ts';
import type { OutputPolicy } from './output.ts';
import type { SchemeVerification } from './security.ts';
import type { Turn, TurnAnswer } from './turn.ts';
import type { FinishedWork, Work } from './work.ts';

export interface AgentHandler {
  /**
   * What a message must be: text parts (unless given), or exactly one data part that is valid by the JSON Schema. Anything
   * else is refused before the handler is called.
   */
  readonly input?: 'text' | { readonly schema: object };
  /**
   * The extensions that the handler does what they ask for; the card may claim no other. An entry is put on the card as it
   * is, a URI is for the card to claim.
   */
  readonly extensions?: readonly (string | ExtensionEntry)[];
  /** JSON documents for everybody, by their path: the schemas of an extension, say. */
  readonly documents?: Readonly<Record<string, object>>;
  /** It puts `turn.reminders` where its model has them; without it the card may not claim reminders. */
  readonly reminders?: boolean;
  readonly output?: OutputPolicy;
  /** By the name of the card's security scheme. */
  readonly security?: Readonly<Record<string, SchemeVerification>>;
  /** Queued work by its name; the host must then be told where to keep it. */
  readonly work?: Readonly<Record<string, Work>>;
  /** Answers a message. What it throws fails the task; callers are not told its words. */
  handle(turn: Turn): TurnAnswer;
  /** Goes on after queued work, or a wait for somebody outside; needed where `handle` may end in `waiting`. */
  resume?(turn: Turn, finished: FinishedWork): TurnAnswer;
}
