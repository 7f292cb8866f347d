// Who calls, and until when: what the HTTP layer knows of a request and the A2A operations are told with it.
import type { ReminderTelling } from './reminder-stream.ts';
import type { EdgeRefusal } from './wire/edge-error-map.ts';
import type { User as A2AUser, ServerCallContext } from '@a2a-js/sdk/server';

export class HostCaller implements A2AUser {
  constructor(
    /** Empty where nobody is asked. */
    readonly userName: string,
    /** Aborts once nobody reads the answer any more. */
    readonly signal: AbortSignal,
    /** Resolves once what was written is on its way: more would only be kept. */
    readonly drained: () => Promise<void>,
    /** What the caller asks for by this is done once. */
    readonly onceKey?: string,
    readonly reminders: ReminderTelling = 'none',
    /** Whose share of what there may be at once it takes. */
    readonly holder = '',
    /** The answer has this refusal's status, whatever the SDK would make of it. */
    readonly answerOtherwise: (refusal: EdgeRefusal) => void = () => undefined,
  ) {}

  get isAuthenticated(): boolean {
    return this.userName !== '';
  }
}

/** Every request is given one by the mount. */
export function callerOf({ user }: ServerCallContext): HostCaller {
  if (user instanceof HostCaller) return user;
  throw new Error('a request came past the mount');
}
