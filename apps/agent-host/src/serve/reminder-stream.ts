// Reminders on the streams of tasks (reminders, *Stream*): a member of their own for clients of 1.0 that have activated the
// extension, a status that changes nothing for others. A2A's codec knows no such member: the update travels through it in a
// status under a name that nobody else can know, and is put in its place as it leaves.
import type { StreamResponse, TaskStatus } from '@a2a-js/sdk';
import type { Request, RequestHandler } from 'express';
import { activatesReminders, type DeclaredReminders, type ReminderUpdate, streamResponseOf } from '#reminders';
import { newId } from '#runtime';
import type { Members } from '../card/members.ts';
import { askedVersion } from './wire/asked-version.ts';
import { changeEvents } from './wire/stream-events.ts';

/** As what a caller is told them, where at all. */
export type ReminderTelling = 'member' | 'status' | 'none';

const carrier = newId();

export function tellingOf(request: Request, declared: DeclaredReminders | undefined): ReminderTelling {
  if (declared?.emit !== true) return 'none';
  return askedVersion(request) === '1.0' && activatesReminders(extensionsOf(request)) ? 'member' : 'status';
}

/** What the caller activates; clients of 0.3 name the header otherwise. */
export function extensionsOf(request: Request): readonly string[] {
  const header = request.header('A2A-Extensions') ?? request.header('X-A2A-Extensions') ?? '';
  return header.split(',').map((uri) => uri.trim());
}

/** Undefined where it is not told. `status` is the task's own. */
export function toldReminder(
  update: ReminderUpdate,
  status: TaskStatus | undefined,
  telling: ReminderTelling,
): StreamResponse | undefined {
  if (telling === 'none') return undefined;
  const { taskId, contextId } = update;
  const told = streamResponseOf(update, status, telling === 'member');
  const metadata = 'reminderUpdate' in told ? { [carrier]: told.reminderUpdate } : told.statusUpdate.metadata;
  return { payload: { $case: 'statusUpdate', value: { taskId, contextId, status, metadata } } };
}

/** Before a transport that writes streams: puts the member in its place. */
export function asMember(declared: DeclaredReminders | undefined): RequestHandler {
  return (request, response, next) => {
    if (tellingOf(request, declared) === 'member') changeEvents(response, inPlace);
    next();
  };
}

function inPlace(json: string): object | undefined {
  if (!json.includes(carrier)) return undefined;
  const event = JSON.parse(json) as Members;
  const isRpc = 'jsonrpc' in event;
  const inner = (isRpc ? event['result'] : event) as { readonly statusUpdate?: { readonly metadata?: Members } };
  const reminderUpdate = inner.statusUpdate?.metadata?.[carrier];
  if (reminderUpdate === undefined) return undefined;
  return isRpc ? { ...event, result: { reminderUpdate } } : { reminderUpdate };
}
