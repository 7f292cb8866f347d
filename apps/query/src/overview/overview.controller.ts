// `GET /v1/overview`: the numbers at the head of the page. Each is counted so far and no further.
import { Get, Inject } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import type { InstantText } from '#expectations';
import { toStoredText } from '#read-model';
import { type Caller, CurrentCaller, EDGE_DATABASE } from '#runtime';
import { ReadController } from '../reading/read-controller.ts';
import { Snapshots } from '../reading/snapshot.ts';

const COUNTED = 10_000;

/** At most 10,000; `isMore` where there are more. */
export interface Count {
  readonly count: number;
  readonly isMore: boolean;
}

export interface Overview {
  /** The log's last instant; null before the first. */
  readonly asOf: InstantText | null;
  readonly open: Count;
  /** Open, and lapsed. */
  readonly lapsed: Count;
  /** Open, suspended, and unable to lapse any more. */
  readonly nothingWillLapse: Count;
  readonly refused: Count;
  /** Lapses whose task nobody can say has arrived: `unknown` and `parked`. */
  readonly undelivered: Count;
  /** Facts that were not believed and wait for an operator. */
  readonly quarantined: Count;
  /** Whether the key may release and discard those. */
  readonly mayOperate: boolean;
}

@ReadController('v1/overview')
export class OverviewController {
  constructor(
    private readonly snapshots: Snapshots,
    @Inject(EDGE_DATABASE) private readonly edge: DataSource,
  ) {}

  @Get()
  async read(@CurrentCaller() { tenant, scopes }: Caller): Promise<Overview> {
    const quarantined = await countRows(this.edge.manager, quarantinedRows, [tenant]);
    const mayOperate = scopes.includes('admin') || scopes.includes('operate');
    return await this.snapshots.read(tenant, async ({ manager, asOf }) => {
      const count = (rows: string, ...more: unknown[]): Promise<Count> =>
        countRows(manager, `duewatch_read.${rows}`, [toStoredText(tenant), ...more]);
      const open = await count('open_expectation WHERE tenant = $1');
      const lapsed = await count('open_expectation WHERE tenant = $1 AND lapsed');
      const nothingWillLapse = await count(nothingWillLapseRows, asOf);
      const refused = await count('refusal WHERE tenant = $1');
      const undelivered = await count(`lapse WHERE tenant = $1 AND dispatch_state IN ('unknown', 'parked')`);
      return { asOf, open, lapsed, nothingWillLapse, refused, undelivered, quarantined, mayOperate };
    });
  }
}

const quarantinedRows = "duewatch_edge.quarantined_fact WHERE tenant = $1 AND state IN ('quarantined', 'releasing')";

/** As `viewExpectation` warns. */
const nothingWillLapseRows = `open_expectation o JOIN duewatch_read.expectation e USING (expectation_hash, occurrence)
  WHERE o.tenant = $1 AND o.suspended AND (
    e.horizon IS NULL OR e.horizon < $2::timestamptz OR EXISTS (
      SELECT FROM duewatch_read.lapse l
       WHERE l.expectation_hash = e.expectation_hash AND l.occurrence = e.occurrence AND l.lapse = 'stalled'))`;

async function countRows(manager: EntityManager, rows: string, parameters: readonly unknown[]): Promise<Count> {
  const [found] = await manager.query<{ count: number }[]>(
    `SELECT count(*)::int AS count FROM (SELECT FROM ${rows} LIMIT ${COUNTED + 1}) AS counted`,
    [...parameters],
  );
  const count = found?.count ?? 0;
  return { count: Math.min(count, COUNTED), isMore: count > COUNTED };
}
