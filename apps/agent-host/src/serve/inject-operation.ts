// InjectTaskReminder (reminders, *Inject*): a new operation, and so none of the SDK's transports'. It must never answer of
// another user's task anything but that there is none.
import { type DeclaredReminders, type InjectAnswer, readInject, type Refusal, refuseCaller } from '#reminders';
import type { Clock, NewId } from '#runtime';
import type { TaskReminders } from '../reminders/task-reminders.ts';

export interface InjectOperationOptions {
  readonly application: string;
  /** Absent, like the reminders: the card claims none, and there is no such method. */
  readonly declared?: DeclaredReminders;
  readonly reminders?: TaskReminders;
  readonly clock: Clock;
  readonly newId: NewId;
}

export interface InjectCaller {
  readonly userName: string;
  readonly extensions: readonly string[];
}

const notServed: Refusal = { code: 'not_implemented', message: 'the agent takes no reminders' };

export class InjectOperation {
  constructor(private readonly options: InjectOperationOptions) {}

  /** The card declares the extension: who activates it is told so. */
  get isExtension(): boolean {
    return this.options.declared?.extension === true;
  }

  /** `params` as the method has them; of HTTP+JSON the body, with the task of the path. */
  async inject(params: unknown, caller: InjectCaller): Promise<InjectAnswer | { readonly refusal: Refusal }> {
    const { application, clock, declared, newId, reminders } = this.options;
    const refusal = refuseCaller(declared, caller.extensions);
    if (refusal !== undefined || reminders === undefined) return { refusal: refusal ?? notServed };
    const request = readInject(params, reminders.bounds);
    if ('refusal' in request) return request;
    const key = { application, user: caller.userName, taskId: request.taskId };
    return reminders.inject(key, request, new Date(clock.now()).toISOString(), newId());
  }
}
