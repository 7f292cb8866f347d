// Inboxes as edges would have written them: the inputs of several tenants in one partition's log, stamped by the log.
import { encodeInbox, type LogRecord, type NewRecord, type UntimedInput } from '#event-log';
import type { Input } from '#expectations';
import { readInstant } from '../model/instant.ts';
import type { Scenario } from '../scenario/vector.ts';
import { scenarioAt } from '../scenario/scenarios.ts';

/** A record as the log stamps it, without its place. */
export type StampedRecord = Omit<LogRecord, 'offset'>;

/** An input as an edge appends it; a tick is of the partition. */
export function inboxRecord(tenant: string, input: UntimedInput): NewRecord {
  return { tenant: input.type === 'tick' ? null : tenant, value: encodeInbox(input) };
}

/** The inputs of a scenario, each stamped with its own instant, the settings first. */
export function recordsOfScenario(tenant: string, { config, inputs }: Scenario): StampedRecord[] {
  const first = inputs[0]?.at ?? '2026-09-01T00:00:00Z';
  const configured: Input[] = config === undefined ? [] : [{ type: 'configured', at: first, settings: config }];
  return [...configured, ...inputs].map(({ at, ...input }) => {
    return { ...inboxRecord(tenant, input), appendedAt: readInstant(at) ?? NaN };
  });
}

/**
 * One partition's inbox: a drawn scenario for each tenant, merged by the instants of their inputs, each tenant's in its
 * own order; clocks go back in it as they do in the scenarios. The same seed and index give the same inbox.
 */
export function drawnInbox(seed: number, index: number, tenants: readonly string[]): LogRecord[] {
  const waiting = tenants.map((tenant, nth) =>
    recordsOfScenario(tenant, scenarioAt(seed, index * tenants.length + nth)),
  );
  const merged: StampedRecord[] = [];
  for (;;) {
    const next = waiting
      .filter((records) => records.length > 0)
      .sort(byFirstInstant)[0]
      ?.shift();
    if (next === undefined) return placed(merged);
    merged.push(next);
  }
}

/** Records in the order given, from offset 0 on. */
export function placed(records: readonly StampedRecord[]): LogRecord[] {
  return records.map((record, offset) => ({ ...record, offset }));
}

function byFirstInstant(left: readonly StampedRecord[], right: readonly StampedRecord[]): number {
  return (left[0]?.appendedAt ?? Infinity) - (right[0]?.appendedAt ?? Infinity);
}
