// `GET /v1/holds` and `GET /v1/parked-inputs`: what the watcher does not decide, and why. The operator sees all tenants'
// and whole partitions; anyone else its own tenant's.
import { Get, Query } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import { formatPosition } from '#event-log';
import type { InstantText } from '#expectations';
import { HoldRow, ParkedInputRow, readRows, toStoredText } from '#read-model';
import { type Caller, CurrentCaller, isOperator, type Page, pageOf, QueryParameters } from '#runtime';
import { ReadController } from '../reading/read-controller.ts';
import { Snapshots } from '../reading/snapshot.ts';

/** A tenant, or a whole partition, whose inputs wait. */
export interface HoldView {
  /** Of the first input that waits; by it the hold is released. */
  readonly position: string;
  /** Absent where it is the whole partition. */
  readonly tenant?: string;
  readonly cause: string;
  readonly heldAt: InstantText;
  /** Absent while it is held. */
  readonly releasedAt?: InstantText;
  readonly releasedBy?: string;
}

/** An input on which the decider threw twice. */
export interface ParkedInputView {
  readonly position: string;
  readonly tenant: string;
  readonly cause: string;
  readonly parkedAt: InstantText;
}

@ReadController('v1')
export class HoldsController {
  constructor(private readonly snapshots: Snapshots) {}

  /** By `released` (true or false); the latest first. */
  @Get('holds')
  async holds(@Query() query: Record<string, unknown>, @CurrentCaller() caller: Caller): Promise<Page<HoldView>> {
    const parameters = new QueryParameters(query, ['released']);
    const released = parameters.flag('released');
    const limit = parameters.limit();
    const cursor = parameters.cursor(3);
    return await this.snapshots.read(caller.tenant, async ({ manager }) => {
      const found = ofCaller(manager.createQueryBuilder(HoldRow, 'r'), caller);
      if (released !== undefined) found.andWhere(`r.releasedAt IS ${released ? 'NOT NULL' : 'NULL'}`);
      if (cursor !== undefined) {
        const [partition, offset, index] = cursor;
        const place = '(r.partition, r.ledgerOffset, r.eventIndex)';
        found.andWhere(`${place} < (:partition, :offset, :index)`, { partition, offset, index });
      }
      found.orderBy('r.partition', 'DESC').addOrderBy('r.ledgerOffset', 'DESC').addOrderBy('r.eventIndex', 'DESC');
      const rows = await readRows(found.limit(limit + 1));
      const page = pageOf(rows, limit, ({ partition, ledgerOffset, eventIndex }) => [
        partition,
        ledgerOffset,
        eventIndex,
      ]);
      return { ...page, items: page.items.map(viewHold) };
    });
  }

  /** The latest first. */
  @Get('parked-inputs')
  async parked(
    @Query() query: Record<string, unknown>,
    @CurrentCaller() caller: Caller,
  ): Promise<Page<ParkedInputView>> {
    const parameters = new QueryParameters(query, []);
    const limit = parameters.limit();
    const cursor = parameters.cursor(2);
    return await this.snapshots.read(caller.tenant, async ({ manager }) => {
      const found = ofCaller(manager.createQueryBuilder(ParkedInputRow, 'r'), caller);
      if (cursor !== undefined) {
        const [partition, offset] = cursor;
        found.andWhere('(r.partition, r.inboxOffset) < (:partition, :offset)', { partition, offset });
      }
      found.orderBy('r.partition', 'DESC').addOrderBy('r.inboxOffset', 'DESC');
      const rows = await readRows(found.limit(limit + 1));
      const page = pageOf(rows, limit, ({ partition, inboxOffset }) => [partition, inboxOffset]);
      return { ...page, items: page.items.map(viewParked) };
    });
  }
}

function ofCaller<Row extends HoldRow | ParkedInputRow>(
  found: SelectQueryBuilder<Row>,
  caller: Caller,
): SelectQueryBuilder<Row> {
  return isOperator(caller) ? found : found.where('r.tenant = :tenant', { tenant: toStoredText(caller.tenant) });
}

function viewHold({ partition, inboxOffset, tenant, cause, heldAt, releasedAt, releasedBy }: HoldRow): HoldView {
  return {
    position: formatPosition({ partition, offset: inboxOffset }),
    ...(tenant !== null && { tenant }),
    cause,
    heldAt,
    ...(releasedAt !== null && { releasedAt }),
    ...(releasedBy !== null && { releasedBy }),
  };
}

function viewParked({ partition, inboxOffset, tenant, cause, parkedAt }: ParkedInputRow): ParkedInputView {
  return { position: formatPosition({ partition, offset: inboxOffset }), tenant, cause, parkedAt };
}
