// Drawn inboxes of several tenants: the ledger folds to the state that decided it, and goes on as that would have.
import { isDeepStrictEqual } from 'node:util';
import {
  decodeLedger,
  encodeInbox,
  encodeLedger,
  type LedgerEntry,
  type LedgerEvent,
  type LogRecord,
} from '#event-log';
import { decide, formatInstant, type Input, type SnapshotPart, State, takeSnapshot } from '#expectations';
import { drawnInbox, placed, type StampedRecord } from '#testing';
import { cut } from './decided-run.ts';
import { PartitionDecider } from './partition-decider.ts';

const tenants = ['acme', 'other', '\u{1f4e6}'];
const inboxCount = 30;

/** A dispatcher's records on what has lapsed, and one in a while that nobody can read, between those drawn. */
function withDispatches(seed: number, drawn: readonly LogRecord[]): LogRecord[] {
  const decider = new PartitionDecider();
  const records: StampedRecord[] = [];
  const chosen = choices(seed);
  const tell = (record: StampedRecord): void => {
    records.push(record);
    const offset = records.length - 1;
    const entries = cut(offset, decider.decide({ ...record, offset }));
    for (const { tenant, events } of entries) for (const event of events) react(tenant, event, record.appendedAt);
  };
  const react = (tenant: string, event: LedgerEvent, appendedAt: number): void => {
    if (event.type !== 'expectationLapsed' || chosen() < 0.3) return;
    const { agentId, expectationId } = event;
    const of = { agentId, expectationId, lapse: event.lapse.lapse, attempt: 1 };
    const say = (type: string): void =>
      tell({ tenant, appendedAt, value: encodeInbox({ ...of, type, outcome: 'refused', cause: 'busy' } as never) });
    say('dispatchAttempted');
    if (chosen() < 0.5) say('dispatchAcknowledged');
    else if (chosen() < 0.5) say('dispatchFailed');
  };
  for (const record of drawn) {
    if (chosen() < 0.03) tell({ tenant: record.tenant, appendedAt: record.appendedAt, value: new Uint8Array([0x7b]) });
    tell(record);
  }
  return placed(records);
}

/** Fractions that the same seed gives again. */
function choices(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const inboxes = Array.from({ length: inboxCount }, (_, index) =>
  withDispatches(index, drawnInbox(20_260_901, index, tenants)),
);

function live(records: readonly LogRecord[]): { readonly decider: PartitionDecider; readonly output: LedgerEntry[][] } {
  const decider = new PartitionDecider();
  return { decider, output: records.map((record) => [...cut(record.offset, decider.decide(record))]) };
}

/** As it comes back from the log. */
const kept = (entries: readonly LedgerEntry[]): LedgerEntry[] =>
  entries.map((entry) => decodeLedger(encodeLedger(entry)) as LedgerEntry);

function folded(output: readonly LedgerEntry[][]): PartitionDecider {
  const decider = new PartitionDecider();
  for (const entries of output) decider.fold(kept(entries));
  return decider;
}

/** What each tenant's state holds at the partition's instant, where no deadline is left to fire. */
function snapshots(decider: PartitionDecider, at: string): Record<string, readonly SnapshotPart[]> {
  const states = tenants.map((tenant) => {
    const state = decider.tenants.state(tenant);
    expect(decide(state, { type: 'tick', at })).toEqual([]);
    return [tenant, [...takeSnapshot(state)]] as const;
  });
  return Object.fromEntries(states);
}

it('draws inboxes in which all of it happens', () => {
  const happened = new Set(
    inboxes.flatMap((records) =>
      live(records)
        .output.flat()
        .flatMap(({ events }) => events.map(({ type }) => type)),
    ),
  );
  expect(happened.size).toBe(21);
});

it('folds the ledger to the state that decided it, wherever it is cut', () => {
  for (const [index, records] of inboxes.entries()) {
    const chosen = choices(index + 1_000);
    for (const stoppedAt of [
      records.length,
      Math.floor(chosen() * records.length),
      Math.floor(chosen() * records.length),
    ]) {
      const { decider, output } = live(records.slice(0, stoppedAt));
      const again = folded(output);
      const at = formatInstant(Math.max(0, decider.place.nowMs));
      expect({ index, stoppedAt, states: snapshots(again, at) }).toEqual({
        index,
        stoppedAt,
        states: snapshots(decider, at),
      });
      expect(again.tenants.openCount).toBe(decider.tenants.openCount);
      expect(again.tenants.earliestDeadline()).toBe(decider.tenants.earliestDeadline());
    }
  }
});

it('decides the rest of the inbox as if it had never stopped, wherever it stopped', () => {
  for (const [index, records] of inboxes.entries()) {
    const { output } = live(records);
    const chosen = choices(index + 2_000);
    for (const stoppedAt of [1, Math.floor(chosen() * records.length), Math.floor(chosen() * records.length)]) {
      const again = folded(output.slice(0, stoppedAt));
      // The ledger says nothing of ticks that decided nothing: they are told again.
      expect(again.place.nextOffset).toBeLessThanOrEqual(stoppedAt);
      const rest = records.slice(again.place.nextOffset).map((record) => [...cut(record.offset, again.decide(record))]);
      if (!isDeepStrictEqual(rest, output.slice(-rest.length))) {
        expect({ index, stoppedAt, rest }).toEqual({ index, stoppedAt, rest: output.slice(-rest.length) });
      }
    }
  }
});

it('decides each tenant as if every input of the partition had been a tick to it', () => {
  for (const [index, records] of inboxes.entries()) {
    const { output } = live(records);
    for (const tenant of tenants) {
      const alone = new State();
      const events: LedgerEvent[] = [];
      let now = -Infinity;
      for (const { appendedAt, tenant: of, value } of records) {
        now = Math.max(now, appendedAt);
        const at = formatInstant(now);
        events.push(...decide(alone, { type: 'tick', at }));
        const input = of === tenant ? readable(value) : undefined;
        if (input !== undefined) events.push(...decide(alone, { ...input, at } as Input));
      }
      const decided = output.flat().flatMap((entry) => (entry.tenant === tenant ? entry.events : []));
      const readableOnly = decided.filter((event) => event.type !== 'inputIgnored' || !event.why.startsWith('un'));
      expect({ index, tenant, events: readableOnly }).toEqual({ index, tenant, events });
    }
  }
});

function readable(value: Uint8Array): object | undefined {
  return value.byteLength === 1 ? undefined : (JSON.parse(new TextDecoder().decode(value)) as { input: object }).input;
}
