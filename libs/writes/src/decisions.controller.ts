// `/v1/decisions/{position}`: the answer to a write that was answered 202.
import { Controller, Get, Param, Res } from '@nestjs/common';
import type { Response } from 'express';
import { type Caller, CurrentCaller, RequireScope } from '#runtime';
import { sendAnswer } from './send-answer.ts';
import { Writes } from './writes.ts';

@Controller('v1/decisions')
export class DecisionsController {
  constructor(private readonly writes: Writes) {}

  @Get(':position')
  @RequireScope('read', 'operate', 'observe', 'facts', 'agents')
  async read(
    @Param('position') position: string,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    return sendAnswer(response, await this.writes.answerLater(caller.tenant, position));
  }
}
