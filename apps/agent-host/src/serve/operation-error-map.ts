// What the operations of A2A answer where they refuse: one place for each reason, in A2A's errors.
import {
  A2AError,
  ContentTypeNotSupportedError,
  ExtensionSupportRequiredError,
  PushNotificationNotSupportedError,
  RequestMalformedError,
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';

import { type Refusal, wireErrorOf } from '#reminders';

export type OperationRefusal =
  | { readonly code: 'unknown-task'; readonly taskId: string }
  | { readonly code: 'unknown-push-config'; readonly configId: string }
  | { readonly code: 'malformed'; readonly why: string }
  | { readonly code: 'task-over' }
  | { readonly code: 'task-works' }
  | { readonly code: 'not-cancelable' }
  | { readonly code: 'still-running' }
  | { readonly code: 'no-streaming' }
  | { readonly code: 'no-push' }
  | { readonly code: 'no-extended-card' }
  | { readonly code: 'extension-required'; readonly uris: readonly string[] }
  | { readonly code: 'too-much-at-once'; readonly what: 'turns' | 'streams' }
  | { readonly code: 'input-not-taken'; readonly why: string }
  /** Of a reminder that a message carries. */
  | { readonly code: 'reminder'; readonly refusal: Refusal };

/** A2A has no error for it, HTTP has: 429. Nothing was begun. */
export class OverloadedError extends A2AError {
  constructor(message: string) {
    super({ message });
  }
}

export function toA2AError(refusal: OperationRefusal): A2AError {
  switch (refusal.code) {
    case 'unknown-task':
      return new TaskNotFoundError(`there is no task ${refusal.taskId}`);
    case 'unknown-push-config':
      return new TaskNotFoundError(`the task has no push notification config ${refusal.configId}`);
    case 'malformed':
      return new RequestMalformedError(refusal.why);
    case 'task-over':
      return new UnsupportedOperationError('the task is over: nothing happens to it any more');
    case 'task-works':
      return new UnsupportedOperationError('the task works, and takes a message when it asks for one');
    case 'not-cancelable':
      return new TaskNotCancelableError('the task is over');
    case 'still-running':
      return new TaskNotCancelableError('the agent was told to end and has not yet: ask again');
    case 'no-streaming':
      return new UnsupportedOperationError('the agent does not stream');
    case 'no-push':
      return new PushNotificationNotSupportedError();
    case 'no-extended-card':
      return new UnsupportedOperationError('the agent has one card');
    case 'extension-required':
      return new ExtensionSupportRequiredError(`these extensions must be activated: ${refusal.uris.join(', ')}`);
    case 'too-much-at-once':
      return new OverloadedError(`there are as many ${refusal.what} as there may be at once: send it again`);
    case 'input-not-taken':
      return new ContentTypeNotSupportedError(refusal.why);
    case 'reminder':
      return new RequestMalformedError(wireErrorOf(refusal.refusal).message);
  }
}

/** Throws it. */
export function refuse(refusal: OperationRefusal): never {
  throw toA2AError(refusal);
}
