// How long a skipped lapse waits before leave is asked for it: feeds race, and what comes within seconds was not skipped.
// By the ledger's settings at its place there; measured from the lapse's own instant, so that an old one never waits.
import type { EntityManager } from 'typeorm';
import { addDuration, defaultSettings, parseDuration, parseInstant } from '#expectations';
import type { Lapsed } from './apply-change.ts';
import { tenantKeyOf } from './lapse-key.ts';

/** Keeps what a setting says. `scopeKey`: of the tenant, or of the agent, whose own counts first. */
export async function setSettleTime(manager: EntityManager, scopeKey: string, duration: string): Promise<void> {
  await manager.query(
    `INSERT INTO duewatch_dispatch.settle_time (scope_key, duration) VALUES ($1, $2)
     ON CONFLICT (scope_key) DO UPDATE SET duration = excluded.duration`,
    [scopeKey, duration],
  );
}

/** Of each lapse, before when leave is not asked for it: `now`, or later. */
export async function settledAt(
  manager: EntityManager,
  lapsed: readonly Lapsed[],
  now: Date,
): Promise<readonly Date[]> {
  const skipped = lapsed.filter(isSkipped);
  if (skipped.length === 0) return lapsed.map(() => now);
  const scopes = skipped.flatMap(({ tenant, agentKey }) => [tenantKeyOf(tenant), agentKey]);
  const rows = await manager.query<{ scope_key: string; duration: string }[]>(
    'SELECT scope_key, duration FROM duewatch_dispatch.settle_time WHERE scope_key = ANY ($1)',
    [[...new Set(scopes)]],
  );
  const known = new Map(rows.map(({ scope_key, duration }) => [scope_key, duration]));
  return lapsed.map((each) => {
    if (!isSkipped(each)) return now;
    const text = known.get(each.agentKey) ?? known.get(tenantKeyOf(each.tenant)) ?? defaultSettings.skippedSettleTime;
    const duration = parseDuration(text);
    // None is none, however far the log's clock is ahead of this one's.
    if (duration === undefined || duration.months + duration.ms === 0) return now;
    const lapsedAtMs = parseInstant(each.event.lapse.lapsedAt);
    return new Date(Math.max(now.getTime(), addDuration(lapsedAtMs, duration)));
  });
}

function isSkipped({ event }: Lapsed): boolean {
  return event.lapse.lapse === 'skipped';
}
