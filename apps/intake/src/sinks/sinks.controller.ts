// `/v1/sinks`: where a tenant's people are told of lapses (Expectations §13.1).
import { Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import {
  type Caller,
  CurrentCaller,
  invalidField,
  JsonBody,
  Problem,
  RequireScope,
  SinkDirectory,
  sinksOfTenant,
  type SinkView,
} from '#runtime';
import { readSinkId, readSinkRequest } from './sink-request.ts';

@Controller('v1/sinks')
export class SinksController {
  constructor(private readonly directory: SinkDirectory) {}

  /** Sets a sink, or replaces all that was set of it. Throws `Problem` (`invalid-field`). */
  @Put(':sinkId')
  @RequireScope('operate')
  async set(
    @Param('sinkId') sinkId: string,
    @JsonBody() body: unknown,
    @CurrentCaller() { tenant }: Caller,
  ): Promise<SinkView> {
    const id = readSinkId(sinkId);
    const { address, rule } = readSinkRequest(body);
    const sink = await this.directory.set(tenant, id, address, rule);
    if (sink === undefined)
      throw invalidField('sinkId', `is one too many: a tenant has at most ${sinksOfTenant} sinks`);
    return sink;
  }

  /** All of them, at most twenty; without addresses, headers and secrets. */
  @Get()
  @RequireScope('operate')
  async list(@CurrentCaller() { tenant }: Caller): Promise<{ readonly items: readonly SinkView[] }> {
    return { items: await this.directory.list(tenant) };
  }

  /** What waits for it is not sent any more. Throws `Problem` (`not-found`). */
  @Delete(':sinkId')
  @HttpCode(204)
  @RequireScope('operate')
  async remove(@Param('sinkId') sinkId: string, @CurrentCaller() { tenant }: Caller): Promise<void> {
    if (await this.directory.remove(tenant, readSinkId(sinkId))) return;
    throw new Problem('not-found', 'there is no sink of this id');
  }
}
