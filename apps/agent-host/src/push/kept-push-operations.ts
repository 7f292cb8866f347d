// The operations on push notification configs, of the caller's own tasks alone.
import type {
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import type { ServerCallContext } from '@a2a-js/sdk/server';
import type { NewId } from '#runtime';
import { callerOf } from '../serve/caller.ts';
import { refuse } from '../serve/operation-error-map.ts';
import type { PushOperations } from '../serve/push-operations.ts';
import { checkId } from '../serve/request-checks.ts';
import type { TaskKey, TaskStore } from '../store/task-store.ts';
import type { PushConfigs } from './push-configs.ts';

/** What one task may have; each costs a call an event. */
const mostConfigs = 20;
const mostTextLength = 4_096;
const isScheme = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{0,64}$/;
const isVisible = /^[\x20-\x7e]*$/;

export interface KeptPushOptions {
  readonly application: string;
  readonly tasks: TaskStore;
  readonly store: PushConfigs;
  readonly newId: NewId;
}

export class KeptPushOperations implements PushOperations {
  constructor(private readonly options: KeptPushOptions) {}

  check(config: TaskPushNotificationConfig): void {
    checkConfig(config);
  }

  async create(request: TaskPushNotificationConfig, context: ServerCallContext): Promise<TaskPushNotificationConfig> {
    checkConfig(request);
    const key = await this.keyOf(request.taskId, context);
    const version = (await this.options.tasks.read(key))?.version ?? 0;
    return this.set(key, request, version);
  }

  attach(key: TaskKey, config: TaskPushNotificationConfig, versionBefore: number): Promise<TaskPushNotificationConfig> {
    return this.set(key, config, versionBefore);
  }

  async get(
    request: GetTaskPushNotificationConfigRequest,
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    const configs = await this.options.store.list(await this.keyOf(request.taskId, context));
    // A client of 0.3 need not say which.
    const isAny = request.id === '' && context.requestedVersion === '0.3';
    const found = isAny ? configs[0] : configs.find(({ id }) => id === request.id);
    return found ?? refuse({ code: 'unknown-push-config', configId: request.id });
  }

  async list(
    request: ListTaskPushNotificationConfigsRequest,
    context: ServerCallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    const configs = await this.options.store.list(await this.keyOf(request.taskId, context));
    return { configs: [...configs], nextPageToken: '' };
  }

  async delete(request: DeleteTaskPushNotificationConfigRequest, context: ServerCallContext): Promise<void> {
    await this.options.store.delete(await this.keyOf(request.taskId, context), request.id);
  }

  private async set(
    key: TaskKey,
    config: TaskPushNotificationConfig,
    version: number,
  ): Promise<TaskPushNotificationConfig> {
    const kept = { ...config, id: config.id === '' ? this.options.newId() : config.id, taskId: key.taskId, tenant: '' };
    if (await this.options.store.set(key, kept, version, mostConfigs)) return kept;
    if ((await this.options.tasks.read(key)) === undefined) refuse({ code: 'unknown-task', taskId: key.taskId });
    return refuse({ code: 'malformed', why: `a task may have at most ${mostConfigs} push notification configs` });
  }

  private async keyOf(taskId: string, context: ServerCallContext): Promise<TaskKey> {
    const user = callerOf(context).userName;
    const key = { application: this.options.application, user, taskId: checkId(taskId, 'taskId') };
    if ((await this.options.tasks.read(key)) === undefined) refuse({ code: 'unknown-task', taskId });
    return key;
  }
}

function checkConfig({ id, url, token, authentication }: TaskPushNotificationConfig): void {
  const malformed = (why: string): never => refuse({ code: 'malformed', why });
  if (id !== '') checkId(id, 'id');
  const parsed = url.length <= mostTextLength && URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.username + parsed.password !== '') {
    malformed('url must be an http or https URL without a user');
  }
  const { scheme, credentials } = authentication ?? { scheme: '', credentials: '' };
  for (const text of [token, credentials]) {
    if (text.length > mostTextLength || !isVisible.test(text))
      malformed('tokens and credentials must be visible ASCII');
  }
  if (!isScheme.test(scheme)) malformed('authentication.scheme must be an HTTP authentication scheme');
}
