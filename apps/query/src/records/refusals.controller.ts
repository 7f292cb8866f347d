// `GET /v1/refusals`: what was not recorded and why, the latest first.
import { Get, Query } from '@nestjs/common';
import { type InstantText, type RefusalCode, refusalCodes } from '#expectations';
import { RefusalRow, toStoredText, readRows } from '#read-model';
import { type Caller, CurrentCaller, type Page, pageOf, QueryParameters } from '#runtime';
import { present } from '../expectations/expectation-view.ts';
import { ReadController } from '../reading/read-controller.ts';
import { Snapshots } from '../reading/snapshot.ts';

/** What was refused: an expectation (agent, task, id where one could be read) or a fact (source, key likewise). */
export interface RefusalView {
  readonly refused: 'expectation' | 'fact';
  readonly code: RefusalCode;
  /** For a person: what is wrong, and where. */
  readonly message: string;
  readonly refusedAt: InstantText;
  readonly agentId?: string;
  readonly expectationId?: string;
  readonly taskId?: string;
  readonly source?: string;
  readonly factKey?: string;
  /**
   * Of an expectation, once it is known: whether its agent was told, by a message in the task's context. `unknown`: it may
   * have been, and is not again; `dropped`: it never is, for the cause given.
   */
  readonly telling?: {
    readonly outcome: 'told' | 'unknown' | 'dropped';
    readonly endedAt: InstantText;
    readonly cause?: string;
    /** The task that the agent made of it. */
    readonly taskId?: string;
  };
}

@ReadController('v1/refusals')
export class RefusalsController {
  constructor(private readonly snapshots: Snapshots) {}

  /** By `refused` (expectation or fact), `code` and `agentId`. */
  @Get()
  async list(@Query() query: Record<string, unknown>, @CurrentCaller() { tenant }: Caller): Promise<Page<RefusalView>> {
    const parameters = new QueryParameters(query, ['refused', 'code', 'agentId']);
    const refused = parameters.word('refused', ['expectation', 'fact']);
    const code = parameters.word('code', refusalCodes);
    const agentId = parameters.text('agentId');
    const limit = parameters.limit();
    const cursor = parameters.cursor(2);
    return await this.snapshots.read(tenant, async ({ manager }) => {
      const found = manager
        .createQueryBuilder(RefusalRow, 'r')
        .where('r.tenant = :tenant', { tenant: toStoredText(tenant) });
      if (refused !== undefined) found.andWhere('r.refused = :refused', { refused });
      if (code !== undefined) found.andWhere('r.code = :code', { code });
      if (agentId !== undefined) found.andWhere('r.agentId = :agentId', { agentId: toStoredText(agentId) });
      if (cursor !== undefined) {
        const [offset, index] = cursor;
        found.andWhere('(r.ledgerOffset, r.eventIndex) < (:offset, :index)', { offset, index });
      }
      found.orderBy('r.ledgerOffset', 'DESC').addOrderBy('r.eventIndex', 'DESC');
      const rows = await readRows(found.limit(limit + 1));
      const page = pageOf(rows, limit, ({ ledgerOffset, eventIndex }) => [ledgerOffset, eventIndex]);
      return { ...page, items: page.items.map(viewRefusal) };
    });
  }
}

function viewRefusal(row: RefusalRow): RefusalView {
  const { refused, code, message, refusedAt, reporter } = row;
  return {
    ...{ refused, code, message, refusedAt },
    ...present(row, ['agentId', 'expectationId', 'taskId', 'factKey']),
    ...(reporter !== null && { source: reporter }),
    ...(row.telling !== null &&
      row.tellingEndedAt !== null && { telling: viewTelling(row.telling, row.tellingEndedAt, row) }),
  };
}

function viewTelling(
  outcome: NonNullable<RefusalRow['telling']>,
  endedAt: InstantText,
  { tellingCause, toldTaskId }: RefusalRow,
): NonNullable<RefusalView['telling']> {
  return {
    ...{ outcome, endedAt },
    ...(tellingCause !== null && { cause: tellingCause }),
    ...(toldTaskId !== null && { taskId: toldTaskId }),
  };
}
