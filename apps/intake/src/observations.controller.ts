// `POST /v1/observations`: decode, call, encode.
import { Controller, Headers, Post, Res, UseGuards } from '@nestjs/common';
import type { Response } from 'express';
import { type BodyItems, type Caller, CurrentCaller, ItemsBody, RequireScope } from '#runtime';
import { readWaitMs, RoomForWrites, sendAnswer } from '#writes';
import { Observer } from './observer.ts';

@Controller('v1/observations')
@RequireScope('observe')
export class ObservationsController {
  constructor(private readonly observer: Observer) {}

  @Post()
  @UseGuards(RoomForWrites)
  async observe(
    @ItemsBody({ lines: false }) body: BodyItems,
    @Headers('prefer') prefer: string | undefined,
    @CurrentCaller() caller: Caller,
    @Res({ passthrough: true }) response: Response,
  ): Promise<unknown> {
    return sendAnswer(response, await this.observer.observe(body, caller, readWaitMs(prefer)));
  }
}
