// A snapshot is a cache of the fold: with it or without, what is decided next is the same.
import {
  encodeLedger,
  type LedgerEntry,
  type LogRecord,
  MemoryEventLog,
  MemorySnapshotStore,
  type NewRecord,
} from '#event-log';
import { drawnInbox, ManualClock } from '#testing';
import { cut } from './decided-run.ts';
import { PartitionDecider } from './partition-decider.ts';
import { decodePartition, encodePartition } from './partition-snapshot.ts';
import { recover } from './recovery.ts';
import { makeSnapshot } from './snapshotting.ts';

const tenants = ['acme', 'other', '\u{1f4e6}'];
const signal = new AbortController().signal;

async function* inTurn(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

function textOf(decider: PartitionDecider): string[] {
  return [...encodePartition(decider)].map((chunk) => Buffer.from(chunk).toString());
}

async function restored(decider: PartitionDecider): Promise<PartitionDecider> {
  const copy = await decodePartition(inTurn([...encodePartition(decider)]));
  if (copy === undefined) throw new Error('a snapshot of this version can be read');
  return copy;
}

function decideAll(decider: PartitionDecider, records: readonly LogRecord[]): LedgerEntry[] {
  return records.flatMap((record) => [...cut(record.offset, decider.decide(record))]);
}

const ledgerRecord = (entry: LedgerEntry): NewRecord => ({ tenant: entry.tenant, value: encodeLedger(entry) });

describe('a partition restored from its snapshot', () => {
  it.each([0, 1, 2, 3, 4, 5])('decides as the one it was taken of would have: drawn inbox %i', async (index) => {
    const records = drawnInbox(20_261_130, index, tenants);
    const half = Math.floor(records.length / 2);
    const decider = new PartitionDecider();
    decideAll(decider, records.slice(0, half));
    const copy = await restored(decider);
    expect(textOf(copy)).toEqual(textOf(decider));
    expect(decideAll(copy, records.slice(half))).toEqual(decideAll(decider, records.slice(half)));
  });

  it('is as it was where nothing has happened', async () => {
    expect(textOf(await restored(new PartitionDecider()))).toEqual(textOf(new PartitionDecider()));
  });

  it('is refused where another version made it', async () => {
    const other = [Buffer.from('{"v":999,"nextOffset":1,"nowMs":1}')];
    expect(await decodePartition(inTurn(other))).toBeUndefined();
  });
});

describe('recovery with a snapshot', () => {
  async function ledgerOf(records: readonly LogRecord[]): Promise<MemoryEventLog> {
    const log = new MemoryEventLog({ clock: new ManualClock(0), partitionCount: 1 });
    await log.append(0, records);
    const writer = await log.openWriter(0);
    for (const entry of decideAll(new PartitionDecider(), records)) await writer.append([ledgerRecord(entry)]);
    return log;
  }

  it('folds only what came after it, to the same state', async () => {
    const records = drawnInbox(20_261_130, 9, tenants);
    const log = await ledgerOf(records);
    const store = new MemorySnapshotStore();
    await makeSnapshot(log, store, 0, signal);
    const whole = await recover({ log, partition: 0 }, signal);
    const short = await recover({ log, partition: 0, snapshots: store }, signal);
    expect(textOf(short.decider)).toEqual(textOf(whole.decider));
    expect(short.completeOffset).toBe(whole.completeOffset);
  });

  it('stops at the last whole output: what a crash cut short is not in it', async () => {
    const records = drawnInbox(20_261_130, 10, tenants);
    const log = await ledgerOf(records);
    const { end } = await log.bounds('ledger', 0);
    const writer = await log.openWriter(0);
    const begun: LedgerEntry = {
      v: 1,
      tenant: 'acme',
      at: '2027-01-01T00:00:00Z',
      offset: records.length,
      n: 0,
      last: false,
      events: [{ type: 'inputIgnored', at: '2027-01-01T00:00:00Z', why: 'half of it' }],
    };
    await writer.append([ledgerRecord(begun)]);
    const store = new MemorySnapshotStore();
    await makeSnapshot(log, store, 0, signal);
    expect((await store.load(0))?.ledgerOffset).toBe(end - 1);
    const whole = await recover({ log, partition: 0 }, signal);
    const short = await recover({ log, partition: 0, snapshots: store }, signal);
    expect(short.begun.isEmpty).toBe(false);
    expect(textOf(short.decider)).toEqual(textOf(whole.decider));
  });

  it('folds the whole ledger where the snapshot cannot be read', async () => {
    const records = drawnInbox(20_261_130, 11, tenants);
    const log = await ledgerOf(records);
    const store = new MemorySnapshotStore();
    await store.save(0, 3, [Buffer.from('{"v":1'), Buffer.from('nonsense')]);
    const whole = await recover({ log, partition: 0 }, signal);
    expect(textOf((await recover({ log, partition: 0, snapshots: store }, signal)).decider)).toEqual(
      textOf(whole.decider),
    );
  });
});
