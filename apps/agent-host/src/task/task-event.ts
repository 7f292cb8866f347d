// What happens to a task, in the order in which it is kept; a task is a fold of it.
import { Artifact, Message, taskStateFromJSON, taskStateToJSON, type TaskState } from '@a2a-js/sdk';
import type { ReminderUpdate } from '#reminders';
import type { CarriedReminder } from '../reminders/carried-reminders.ts';

/** `at`: by the clock of the process that says so, RFC 3339. */
export type TaskEvent =
  | {
      readonly type: 'submitted';
      readonly at: string;
      readonly message: Message;
      /** What came with the message, and is no part of it. */
      readonly reminders?: readonly CarriedReminder[];
    }
  /** The next message of the caller's; the agent works again. */
  | {
      readonly type: 'messageReceived';
      readonly at: string;
      readonly message: Message;
      readonly reminders?: readonly CarriedReminder[];
    }
  | { readonly type: 'statusChanged'; readonly at: string; readonly state: TaskState; readonly message?: Message }
  /** Told to who follows, and of no consequence to the task. */
  | {
      readonly type: 'progressReported';
      readonly at: string;
      readonly message?: Message;
      readonly metadata: Readonly<Record<string, unknown>>;
    }
  | {
      readonly type: 'artifactUpdated';
      readonly at: string;
      readonly artifact: Artifact;
      readonly append: boolean;
      readonly lastChunk: boolean;
    }
  /** A reminder of the task's was accepted, displaced or expired: told to who follows, and no part of the task. */
  | { readonly type: 'reminderUpdated'; readonly at: string; readonly update: ReminderUpdate };

/** As it is kept: A2A's JSON within. */
export function encodeTaskEvent(event: TaskEvent): string {
  switch (event.type) {
    case 'submitted':
    case 'messageReceived':
      return JSON.stringify({ ...event, message: Message.toJSON(event.message) });
    case 'statusChanged':
      return JSON.stringify({ ...event, state: taskStateToJSON(event.state), ...messageOf(event) });
    case 'progressReported':
      return JSON.stringify({ ...event, ...messageOf(event) });
    case 'artifactUpdated':
      return JSON.stringify({ ...event, artifact: Artifact.toJSON(event.artifact) });
    case 'reminderUpdated':
      return JSON.stringify(event);
  }
}

function messageOf({ message }: { readonly message?: Message }): { readonly message?: unknown } {
  return message === undefined ? {} : { message: Message.toJSON(message) };
}

/** Only what `encodeTaskEvent` wrote. */
export function decodeTaskEvent(text: string): TaskEvent {
  const kept = JSON.parse(text) as TaskEvent & { readonly message?: unknown };
  if (kept.type === 'reminderUpdated') return kept;
  const message = kept.message === undefined ? {} : { message: Message.fromJSON(kept.message) };
  switch (kept.type) {
    case 'submitted':
    case 'messageReceived':
      return { ...kept, message: Message.fromJSON(kept.message) };
    case 'statusChanged':
      return { ...kept, state: taskStateFromJSON(kept.state), ...message };
    case 'progressReported':
      return { ...kept, ...message };
    case 'artifactUpdated':
      return { ...kept, artifact: Artifact.fromJSON(kept.artifact) };
  }
}
