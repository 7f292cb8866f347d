// `final` of 0.3, which says that a stream ends with this status: the SDK says it of tasks that are over, and a stream ends as
// well where the agent waits for its caller.
import type { RequestHandler } from 'express';
import { REMINDERS_URI } from '#reminders';
import type { Members } from '../../card/members.ts';
import { askedVersion } from './asked-version.ts';
import { changeEvents } from './stream-events.ts';

interface StatusUpdate extends Members {
  readonly status?: { readonly state?: string };
  readonly metadata?: Members;
}

const waitsForCaller = new Set([
  ...['input-required', 'auth-required'],
  ...['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_AUTH_REQUIRED'],
]);

/** Before a transport that writes streams. */
export const sayFinal: RequestHandler = (request, response, next) => {
  if (askedVersion(request) === '0.3') changeEvents(response, asFinal);
  next();
};

function asFinal(json: string): object | undefined {
  if (!/(input|auth).required/i.test(json)) return undefined;
  const event = JSON.parse(json) as { readonly result?: StatusUpdate; readonly statusUpdate?: StatusUpdate };
  const { result, statusUpdate } = event;
  if (statusUpdate !== undefined) {
    return endsStream(statusUpdate) ? { ...event, statusUpdate: { ...statusUpdate, final: true } } : undefined;
  }
  const isUpdate = result?.['kind'] === 'status-update' && endsStream(result);
  return isUpdate ? { ...event, result: { ...result, final: true } } : undefined;
}

/** What a reminder is told in has the task's status as it is, and ends nothing. */
function endsStream({ status, metadata = {} }: StatusUpdate): boolean {
  return waitsForCaller.has(status?.state ?? '') && !Object.hasOwn(metadata, REMINDERS_URI);
}
