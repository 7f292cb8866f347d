// `POST /v1/holds/{position}/release`: an operator lets what is held be decided. The act goes through the inbox, and
// whoever decides answers it in the ledger.
import { Controller, HttpCode, Inject, Param, Post } from '@nestjs/common';
import { encodeInbox, type EventLog, formatPosition, type OperatorAct, parsePosition, partitionOf } from '#event-log';
import { formatInstant, parseInstant } from '#expectations';
import {
  type Caller,
  CurrentCaller,
  EVENT_LOG,
  invalidField,
  isOperator,
  JsonBody,
  Problem,
  readFields,
  readText,
  RequireScope,
} from '#runtime';

@Controller('v1/holds')
export class HoldsController {
  constructor(@Inject(EVENT_LOG) private readonly log: EventLog) {}

  /**
   * Asks for the release of the tenant named in the body, or of the whole partition; then `takenAt`, an RFC 3339 instant,
   * says at which instant at the latest what is held counts as appended (absent: as it is stamped). Answers 202 with the
   * position of the act; `GET /v1/holds` shows when it is done.
   */
  @Post(':position/release')
  @HttpCode(202)
  @RequireScope('admin')
  async release(
    @Param('position') text: string,
    @JsonBody() body: unknown,
    @CurrentCaller() caller: Caller,
  ): Promise<{ readonly position: string }> {
    if (!isOperator(caller)) {
      throw new Problem('forbidden', 'only an administrator of the tenant "default" may release what is held');
    }
    const held = parsePosition(text);
    if (held === undefined || held.partition >= this.log.partitionCount) {
      throw invalidField('position', 'must be the position of a hold, as GET /v1/holds gives it');
    }
    const { tenant, takenAt } = readRelease(body);
    if (tenant !== null && partitionOf(tenant, this.log.partitionCount) !== held.partition) {
      throw invalidField('tenant', 'is not of the partition of this hold');
    }
    const of = { heldOffset: held.offset, by: caller.name };
    const act: OperatorAct =
      tenant === null
        ? { type: 'partitionReleaseRequested', ...of, ...(takenAt !== undefined && { takenAt }) }
        : { type: 'tenantReleaseRequested', ...of };
    const { partition, offsets } = await this.log.append(held.partition, [{ tenant, value: encodeInbox(act) }]);
    return { position: formatPosition({ partition, offset: offsets[0] ?? 0 }) };
  }
}

function readRelease(body: unknown): { readonly tenant: string | null; readonly takenAt: string | undefined } {
  const fields = readFields(body, '', ['tenant', 'takenAt']);
  const tenant = fields['tenant'] === undefined ? null : readText(fields['tenant'], 'tenant');
  if (fields['takenAt'] === undefined) return { tenant, takenAt: undefined };
  if (tenant !== null) throw invalidField('takenAt', 'is for a whole partition: a tenant’s inputs keep their instants');
  const instant = parseInstant(readText(fields['takenAt'], 'takenAt'));
  if (Number.isNaN(instant)) throw invalidField('takenAt', 'must be an RFC 3339 instant with an offset');
  return { tenant, takenAt: formatInstant(instant) };
}
