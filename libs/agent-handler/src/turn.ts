// One turn: a caller's message, until the handler returns. Whatever is said of it is kept before the promise resolves.
import type { ArtifactContent, Carried, IncomingMessage, Json, Part } from './content.ts';
import type { Activity, ModelUsage } from './output.ts';
import type { Reminder, ReminderBlock } from './reminders.ts';
import type { ExternalWait } from './work.ts';

/** Who calls, as the host has found out from the credential. */
export interface User {
  readonly isAuthenticated: boolean;
  /** Empty where nobody is asked. */
  readonly name: string;
}

/** What is remembered of a context (A2A's `contextId`), for the user it is of. */
export interface Session {
  readonly contextId: string;
  /** Undefined where nothing was kept. */
  read(): Promise<Json | undefined>;
  /** Replaces it. Throws where another turn has replaced it since this one read it. */
  write(value: Json): Promise<void>;
}

/**
 * Every method throws once the turn is over: it was canceled, or another process has taken it over. Let it through.
 */
export interface Turn {
  readonly message: IncomingMessage;
  /** The messages of the task before this one, the caller's and the agent's, in order; none of a new task. */
  readonly history: readonly { readonly role: 'user' | 'agent'; readonly parts: readonly Part[] }[];
  readonly taskId: string;
  readonly user: User;
  readonly session: Session;
  /** Which extensions of the card the caller has activated. */
  readonly extensions: readonly string[];
  /** Aborts where the task is canceled: what is under way should end, and the handler return or throw. */
  readonly signal: AbortSignal;
  /**
   * What this turn is to be told beside what was said, as of now; empty unless the card claims `capabilities.reminders`.
   * It belongs into the context of the model, and into no history.
   */
  readonly reminders: readonly Reminder[];
  /** The same as text, ready to be put beside the model's instructions. */
  readonly reminderBlocks: readonly ReminderBlock[];
  /**
   * Aborts where a reminder is to be told at once, or `signal` does: what the step does may be given up, and `nextStep`
   * called to begin it again. Another after each `nextStep` and `ask`.
   */
  readonly interrupted: AbortSignal;
  /** Between two steps, such as calls of a model: the reminders that have come since, which `reminders` has from here on. */
  nextStep(): Promise<readonly Reminder[]>;
  /** What was said in the context has been compacted: reminders that are not to be preserved are over. */
  compacted(): Promise<void>;
  /** A piece of the answer: the Message, or the artifact `answer` of the Task. */
  say(content: string | Part): Promise<void>;
  /** An artifact beside the answer. Callers are then given a Task. */
  artifact(artifact: ArtifactContent): Promise<void>;
  /** From here on there is a Task, whatever the caller has asked for. */
  track(): Promise<void>;
  /** What the model thinks; told where `output.thinking` says so. */
  think(text: string): Promise<void>;
  /** A decision of a given shape; told where `output.decisionResults` says so. */
  decision(value: Json): Promise<void>;
  /** An agent, or a node of its graph, begins or ends. Never a tool's arguments or results. */
  activity(activity: Activity): Promise<void>;
  /** Tokens used by a call of a model. `raw`, the provider's own mapping, is told where `output.agentMetadata` is `raw`. */
  usage(usage: ModelUsage, raw?: Json): Promise<void>;
  /**
   * Asks the caller (a human's approval, a tool of the client's) and waits, in this process, for the next message of the
   * task. The task is INPUT_REQUIRED until then, and fails where this process ends.
   */
  ask(question: string | readonly Part[], carried?: Carried): Promise<IncomingMessage>;
  /**
   * Opens a wait for somebody outside: hand its URL to them, and return `{ outcome: 'waiting', wait }`. There is a Task from
   * here on. A turn has one wait at most; one that ends in anything else waits for nobody. `forMs`: so long from now,
   * and no longer.
   */
  externalWait(name: string, options?: { readonly forMs?: number }): Promise<ExternalWait>;
  /**
   * Ends another task of this turn's user, with what its callers are told. What runs of it is told to end, and what it
   * says from here on is not taken.
   */
  endTask(taskId: string, state: 'canceled' | 'failed', message: string | readonly Part[]): Promise<TaskEnded>;
}

/** It was ended, was over before, or is none of the user's. */
export type TaskEnded = 'ended' | 'over' | 'unknown';

/** What a turn ends in; returning nothing completes the task with what was said. */
export type Outcome =
  | { readonly outcome: 'completed'; readonly message?: string | readonly Part[] }
  /** The turn is over; the next message of the task begins another, in whatever process it comes to. */
  | ({ readonly outcome: 'inputRequired'; readonly message: string | readonly Part[] } & Carried)
  | { readonly outcome: 'rejected'; readonly message: string | readonly Part[] }
  | { readonly outcome: 'failed'; readonly message: string | readonly Part[] }
  /**
   * Queued work: the turn is over, and `resume` is called once the work is. `state` is given back to it. Nothing of this
   * turn is done again.
   */
  | { readonly outcome: 'waiting'; readonly work: string; readonly payload: Json; readonly state?: Json }
  /** The same for a wait that this turn has opened; who is to finish it may have done so before. */
  | { readonly outcome: 'waiting'; readonly wait: ExternalWait; readonly state?: Json };

/** A handler that returns nothing has completed the task. */
export type TurnAnswer = Promise<Outcome | undefined> | Promise<void>;
