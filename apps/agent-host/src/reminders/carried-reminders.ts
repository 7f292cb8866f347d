// The reminders that come with a message (reminders, *Towards a peer*): taken off it, so that they are neither in the history
// nor among the words that the handler is given.
import type { Message } from '@a2a-js/sdk';
import { carriedReminders, type InjectRequest, type Refused, type ReminderBounds, readReminder } from '#reminders';

/** One reminder, read; its id is given where its sender gave none. */
export type CarriedReminder = Pick<InjectRequest, 'draft' | 'contentHash'>;

export interface TakenOff {
  readonly message: Message;
  readonly carried: readonly CarriedReminder[];
}

type Members = Readonly<Record<string, unknown>>;

/** Those of the message and of its request, in this order. A refusal names the one that is wrong, and nothing is taken. */
export function takeOffReminders(
  message: Message,
  requestMetadata: Members | undefined,
  newId: () => string,
  bounds?: ReminderBounds,
): TakenOff | Refused {
  const carried: CarriedReminder[] = [];
  for (const [path, metadata] of [
    ['message.metadata.harn.reminder', message.metadata],
    ['metadata.harn.reminder', requestMetadata],
  ] as const) {
    for (const value of carriedReminders(metadata)) {
      const read = readReminder(value, path, bounds);
      if ('refusal' in read) return read;
      carried.push({ ...read, draft: { ...read.draft, id: read.draft.id ?? newId() } });
    }
  }
  return { message: { ...message, metadata: without(message.metadata) }, carried };
}

function without(metadata: Members | undefined): Record<string, unknown> | undefined {
  if (carriedReminders(metadata).length === 0) return metadata;
  const { 'harn.reminder': _dotted, harn, ...others } = metadata ?? {};
  const { reminder: _reminder, ...rest } = (harn ?? {}) as Members;
  return Object.keys(rest).length === 0 ? others : { ...others, harn: rest };
}
