// `POST /v1/facts`: decode, call, encode.
import { Controller, Headers, Post, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { type BodyItems, type Caller, CurrentCaller, ItemsBody, RequireScope } from '#runtime';
import { readWaitMs, RoomForWrites, sendAnswer } from '#writes';
import { Reporting } from './reporting.ts';

@Controller('v1/facts')
export class FactsController {
  constructor(private readonly reporting: Reporting) {}

  @Post()
  @RequireScope('facts')
  @UseGuards(RoomForWrites)
  async report(
    @ItemsBody({ lines: true }) body: BodyItems,
    @Headers('prefer') prefer: string | undefined,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    return sendAnswer(response, await this.reporting.report(body, caller, readWaitMs(prefer)));
  }
}
