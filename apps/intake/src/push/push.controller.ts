// `POST /v1/push/{tenant}/{agentId}`: what an agent sends of a task, because it was asked to. Decode, call, encode.
import { Controller, HttpCode, Post, UseGuards } from '@nestjs/common';
import { JsonBody, Public } from '#runtime';
import { PushReceiver } from './push-receiver.ts';
import type { PushedTask } from './push-subscriptions.ts';
import { Pushed, PushTokenGuard } from './push-token.guard.ts';

@Controller('v1/push')
export class PushController {
  constructor(private readonly receiver: PushReceiver) {}

  /**
   * Takes a StreamResponse of A2A 1.0, or a Task of 0.3, with the task's token in `X-A2A-Notification-Token` or as the
   * bearer. Answers 204 once it is in the log; 401 where the token is not this agent's for this task; 422 where the body
   * is none of these; 429 and 503, with Retry-After, where the log cannot take it now.
   */
  @Post(':tenant/:agentId')
  @Public()
  @UseGuards(PushTokenGuard)
  @HttpCode(204)
  async take(@JsonBody() body: unknown, @Pushed() pushed: PushedTask): Promise<void> {
    await this.receiver.take(pushed, body);
  }
}
