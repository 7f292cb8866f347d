// A held tenant's release: what has waited is decided as the output of the release, each input at its own instant.
import type { LogRecord } from '#event-log';
import { formatInstant, nextDeadline, restoreSnapshot, type State, takeSnapshot } from '#expectations';
import type { Core } from './core.ts';
import { type DecidedRun, DEADLINES_A_RUN } from './decided-run.ts';
import { messageOf } from './decider-fault-error.ts';
import type { Judged, PartitionDecider } from './partition-decider.ts';
import type { Hold } from './tenants.ts';
import { readAct, tellState } from './told.ts';

export interface TenantRelease {
  readonly tenant: string;
  readonly hold: Hold;
  readonly by: string;
}

/** The inbox from an offset to before another. */
export type ReadInbox = (from: number, before: number) => AsyncIterable<LogRecord>;

/** The release that a record asks for, where its tenant has been held since the offset it names. */
export function askedRelease({ tenants }: PartitionDecider, record: LogRecord): TenantRelease | undefined {
  const { tenant } = record;
  const hold = tenant === null ? undefined : tenants.holdOf(tenant);
  if (tenant === null || hold === undefined) return undefined;
  const act = readAct(record);
  if (act?.type !== 'tenantReleaseRequested' || act.heldOffset !== hold.offset) return undefined;
  return { tenant, hold, by: act.by };
}

/**
 * Decides the record that asks for the release. It is tried on a copy first: where the core still throws, the tenant
 * stays held, and nothing of what waited is decided. The runs must be taken to the end.
 */
export async function* releaseTenant(
  decider: PartitionDecider,
  record: LogRecord,
  { tenant, hold, by }: TenantRelease,
  readInbox: ReadInbox,
  judged?: Judged,
): AsyncGenerator<DecidedRun> {
  const { core, place, tenants } = decider;
  yield* decider.decide(record, judged);
  const at = formatInstant(place.nowMs);
  const stampOf = (held: LogRecord): number => place.stampOf(held);
  const waited = (state: State): AsyncIterable<DecidedRun> => {
    const records = readInbox(hold.offset, record.offset);
    return decideWaited({ core, state, tenant, hold, records, stampOf });
  };
  const cause = tenants.faultOf(tenant) ?? (await rehearse(core, tenants.state(tenant), waited, at));
  if (cause !== undefined) {
    yield { tenant, at, events: [{ type: 'tenantReleaseRefused', at, cause }] };
    return;
  }
  yield* waited(tenants.state(tenant));
  tenants.release(tenant);
  yield* decider.advance(tenant, at);
  yield { tenant, at, events: [{ type: 'tenantReleased', at, heldOffset: hold.offset, by }] };
}

/** What it throws, decided on a copy of the state; undefined where it does not. */
async function rehearse(
  core: Core,
  state: State,
  waited: (state: State) => AsyncIterable<DecidedRun>,
  at: string,
): Promise<string | undefined> {
  const copy = restoreSnapshot([...takeSnapshot(state)]);
  try {
    for await (const _ of waited(copy));
    for (const _ of core.advance(copy, at, DEADLINES_A_RUN));
    return undefined;
  } catch (error) {
    if (error instanceof Error && 'retryable' in error) throw error;
    return messageOf(error);
  }
}

interface Waited {
  readonly core: Core;
  readonly state: State;
  readonly tenant: string;
  readonly hold: Hold;
  readonly records: AsyncIterable<LogRecord>;
  readonly stampOf: (record: LogRecord) => number;
}

/** As they would have been decided: the partition's other records move the tenant's time too. */
async function* decideWaited({ core, state, tenant, hold, records, stampOf }: Waited): AsyncGenerator<DecidedRun> {
  let nowMs = hold.atMs;
  for await (const record of records) {
    nowMs = Math.max(nowMs, stampOf(record));
    const at = formatInstant(nowMs);
    const { offset } = record;
    if ((nextDeadline(state) ?? Infinity) < nowMs) {
      for (const events of core.advance(state, at, DEADLINES_A_RUN)) {
        yield { tenant, at, of: { offset, last: false }, events };
      }
    }
    if (record.tenant !== tenant) continue;
    yield { tenant, at, of: { offset, last: true }, events: tellState(core, state, record, at) };
  }
}
