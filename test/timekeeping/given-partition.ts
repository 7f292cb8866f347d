// What tests of the timekeeper's faults share: starts and stops of one partition's loop, and what its ledger says.
import { encodeInbox, encodeLedger, type LedgerEvent, type NewRecord, type InboxEntry } from '#event-log';
import { decidedTexts, type PartitionStage, raised } from '#testing';
import type { Core } from '../../apps/timekeeper/src/core.ts';
import { PartitionLoop } from '../../apps/timekeeper/src/partition-loop.ts';
import { replay } from './replay.ts';

const running: AbortController[] = [];
export function stopAll(): void {
  for (const stopping of running.splice(0)) stopping.abort();
}

/** A start of the timekeeper; it ends, with what it threw, at the first fault. */
export async function start(
  stage: PartitionStage,
  core?: Core,
): Promise<{ readonly loop: PartitionLoop; stop(): Promise<unknown> }> {
  const stopping = new AbortController();
  running.push(stopping);
  const loop = new PartitionLoop(stage.log, stage.clock, 0, 'test', undefined, core);
  const ended = loop.run(stopping.signal).catch((error: unknown) => error);
  await stage.clock.settle();
  return {
    loop,
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}

export const due = (stage: PartitionStage, id: string, ms: number) => raised({ id, dueAtMs: stage.startMs + ms });

export async function ask(stage: PartitionStage, tenant: string | null, act: InboxEntry['input']): Promise<void> {
  await stage.append([{ tenant, value: encodeInbox(act) }]);
}

/** A tenant's events of the core, in order. */
export async function eventsOf(stage: PartitionStage, tenant: string): Promise<LedgerEvent[]> {
  return (await stage.entries()).filter((entry) => entry.tenant === tenant).flatMap(({ events }) => events);
}

export const typesOf = (events: readonly LedgerEvent[]): string[] => events.map(({ type }) => type);

export async function replayedTexts(stage: PartitionStage): Promise<string[]> {
  const records: NewRecord[] = [];
  for await (const entry of replay(await stage.inbox(), await stage.ledger())) {
    records.push({ tenant: entry.tenant, value: encodeLedger(entry) });
  }
  return decidedTexts(records);
}
