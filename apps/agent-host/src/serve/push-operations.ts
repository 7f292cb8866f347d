// The operations on push notification configs. Without a store that keeps them there are none, and the card claims none.
import type {
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import type { ServerCallContext } from '@a2a-js/sdk/server';
import type { TaskKey } from '../store/task-store.ts';
import { refuse } from './operation-error-map.ts';

export interface PushOperations {
  /** Of a config that comes with a message. Throws A2A's error. */
  check(config: TaskPushNotificationConfig): void;
  /** Of a task whose message came with it: told is all past the version that the task had before. */
  attach(key: TaskKey, config: TaskPushNotificationConfig, versionBefore: number): Promise<TaskPushNotificationConfig>;
  create(request: TaskPushNotificationConfig, context: ServerCallContext): Promise<TaskPushNotificationConfig>;
  get(request: GetTaskPushNotificationConfigRequest, context: ServerCallContext): Promise<TaskPushNotificationConfig>;
  list(
    request: ListTaskPushNotificationConfigsRequest,
    context: ServerCallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse>;
  delete(request: DeleteTaskPushNotificationConfigRequest, context: ServerCallContext): Promise<void>;
}

const none = async (): Promise<never> => refuse({ code: 'no-push' });

export const noPushOperations: PushOperations = {
  check: () => refuse({ code: 'no-push' }),
  ...{ attach: none, create: none, get: none, list: none, delete: none },
};
