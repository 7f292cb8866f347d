// The SDK's request handler over the host's operations, one for each place where the agent is mounted: its transports,
// codecs and errors do the rest. It must never let a fault's words reach a caller.
import type { LoggerService } from '@nestjs/common';
import type {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from '@a2a-js/sdk';
import { A2AError } from '@a2a-js/sdk/errors';
import type { A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import { isWorldFault } from '#runtime';
import type { HostOperations } from './host-operations.ts';
import { callerOf } from './caller.ts';
import { HostUnavailableError, OverloadedError, refuse } from './operation-error-map.ts';
import type { PushOperations } from './push-operations.ts';

export interface HostRequestHandlerOptions {
  /** As this mount has it: its own interfaces, by which the SDK knows what versions it takes. */
  readonly card: AgentCard;
  /** Tenants that the mount's interfaces name; the client's word, and no more than a name. */
  readonly tenants: readonly string[];
  readonly operations: HostOperations;
  readonly push: PushOperations;
  readonly log: LoggerService;
}

export class HostRequestHandler implements A2ARequestHandler {
  constructor(private readonly options: HostRequestHandlerOptions) {}

  async getAgentCard(): Promise<AgentCard> {
    return this.options.card;
  }

  async getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    return refuse({ code: 'no-extended-card' });
  }

  sendMessage(request: SendMessageRequest, context: ServerCallContext): Promise<Message | Task> {
    return this.answer(request, context, () => this.options.operations.sendMessage(request, context));
  }

  sendMessageStream(
    request: SendMessageRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    return this.stream(request, context, () => this.options.operations.sendMessageStream(request, context));
  }

  resubscribe(
    request: SubscribeToTaskRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    return this.stream(request, context, () => this.options.operations.resubscribe(request, context));
  }

  getTask(request: GetTaskRequest, context: ServerCallContext): Promise<Task> {
    return this.answer(request, context, () => this.options.operations.getTask(request, context));
  }

  listTasks(request: ListTasksRequest, context: ServerCallContext): Promise<ListTasksResponse> {
    return this.answer(request, context, () => this.options.operations.listTasks(request, context));
  }

  cancelTask(request: CancelTaskRequest, context: ServerCallContext): Promise<Task> {
    return this.answer(request, context, () => this.options.operations.cancelTask(request, context));
  }

  createTaskPushNotificationConfig(
    request: TaskPushNotificationConfig,
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.answer(request, context, () => this.options.push.create(request, context));
  }

  getTaskPushNotificationConfig(
    request: GetTaskPushNotificationConfigRequest,
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    return this.answer(request, context, () => this.options.push.get(request, context));
  }

  listTaskPushNotificationConfigs(
    request: ListTaskPushNotificationConfigsRequest,
    context: ServerCallContext,
  ): Promise<ListTaskPushNotificationConfigsResponse> {
    return this.answer(request, context, () => this.options.push.list(request, context));
  }

  deleteTaskPushNotificationConfig(
    request: DeleteTaskPushNotificationConfigRequest,
    context: ServerCallContext,
  ): Promise<void> {
    return this.answer(request, context, () => this.options.push.delete(request, context));
  }

  private async answer<T>(
    request: { readonly tenant: string },
    context: ServerCallContext,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      this.checkTenant(request.tenant);
      this.checkTenant(context.tenant ?? '');
      return await work();
    } catch (error) {
      throw this.told(error, context);
    }
  }

  private async *stream(
    request: { readonly tenant: string },
    context: ServerCallContext,
    work: () => AsyncGenerator<StreamResponse, void, undefined>,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    try {
      this.checkTenant(request.tenant);
      this.checkTenant(context.tenant ?? '');
      yield* work();
    } catch (error) {
      throw this.told(error, context);
    }
  }

  private checkTenant(tenant: string): void {
    if (tenant === '' || this.options.tenants.includes(tenant)) return;
    refuse({ code: 'malformed', why: 'the card names no such tenant' });
  }

  private told(error: unknown, context: ServerCallContext): A2AError {
    if (error instanceof OverloadedError) callerOf(context).overloaded();
    if (error instanceof A2AError) return error;
    if (isWorldFault(error)) {
      this.options.log.warn(String(error), 'AgentHost');
      return new HostUnavailableError(error);
    }
    this.options.log.error(error instanceof Error ? (error.stack ?? error.message) : String(error), 'AgentHost');
    return new A2AError({ message: 'the agent host could not do it', cause: error });
  }
}
