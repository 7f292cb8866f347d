// What must be so after any fault, once everything is at rest: the ledger is what the naive model says of the inbox, and
// what a replay says, byte for byte; the tables are what the ledger comes to; what was taken is there as it was answered,
// once; each lapse is with its agent. Inbox and ledger are as Kafka's own console consumer prints them.
import assert from 'node:assert/strict';
import type { DataSource } from 'typeorm';
import { decodeLedger } from '#event-log';
import { readTables, rebuildReadModel } from '#read-model';
import { LedgerWatch } from '../simulation/oracle/ledger-watch.ts';
import { GARBAGE } from '../simulation/oracle/naive-partition.ts';
import { replayDifference } from '../system/replayable.ts';
import { type Decided, decidedIn } from '../system/whole-ledger.ts';
import type { BusyTenant } from './busy-tenants.ts';
import { type DumpedLog, ledgerOf } from './dumped-log.ts';

/** A message as an agent has taken it. */
export interface Received {
  readonly messageId: string;
}

/**
 * Throws where the ledger is not what the naive model says of the inbox, input by input, where a writer went on after
 * another had begun, and where the inbox has a gap. `poison`: the places (`partition-offset`) of what nobody can read.
 */
export function assertModelled({ inbox, ledger }: DumpedLog, poison: ReadonlySet<string> = new Set()): void {
  for (const [partition, records] of inbox.entries()) {
    const watch = new LedgerWatch(partition);
    records.forEach(({ offset }, nth) => assert.equal(offset, nth, `the inbox of partition ${partition} has a gap`));
    const isPoison = (offset: number): boolean => poison.has(`${partition}-${offset}`);
    watch.appendedToInbox(
      records.map((record) => (isPoison(record.offset) ? { ...record, value: Buffer.from(GARBAGE) } : record)),
    );
    let epoch: number | undefined;
    for (const record of ledger[partition] ?? []) {
      const entry = decodeLedger(record.value);
      if ('type' in entry && entry.type === 'writerStarted') watch.takenOver((epoch = entry.epoch));
      watch.appendedToLedger([record], epoch);
    }
    watch.checkAgainstModel();
  }
}

/** Throws where a replay of the inbox comes to another ledger. */
export async function assertReplayable({ inbox, ledger }: DumpedLog): Promise<void> {
  for (const [partition, records] of inbox.entries()) {
    const difference = await replayDifference(records, ledger[partition] ?? []);
    assert.equal(difference, undefined, `partition ${partition}, written and replayed: ${difference?.join('\n')}`);
  }
}

/** All events of the ledger, in order by partition. Throws where something is decided twice or in part. */
export function decidedBy({ ledger }: DumpedLog): readonly Decided[] {
  return decidedIn(ledger.flatMap((records, partition) => records.map(({ value }) => ({ partition, value }))));
}

/** The places of the inputs of tenants that have no outcome. */
export function undecidedOf({ inbox }: DumpedLog, decided: readonly Decided[]): readonly string[] {
  const known = new Set(decided.map(({ partition, offset }) => `${partition}-${offset}`));
  return inbox.flatMap((records, partition) =>
    records
      .filter(({ tenant }) => tenant !== null)
      .map(({ offset }) => `${partition}-${offset}`)
      .filter((place) => !known.has(place)),
  );
}

/**
 * Throws where a table of the read model has other rows than a fold of the dumped ledger makes in `fresh`. Where each
 * partition stands is not compared: that the ledger goes on without events does not matter here.
 */
export async function assertProjected(log: DumpedLog, readModel: DataSource, fresh: DataSource): Promise<void> {
  await rebuildReadModel(fresh, ledgerOf(log));
  for (const table of readTables) {
    const { tablePath } = fresh.getMetadata(table);
    if (tablePath.endsWith('position')) continue;
    const [projected, folded] = await Promise.all([rowsOf(readModel, tablePath), rowsOf(fresh, tablePath)]);
    if (projected.join('\n') === folded.join('\n')) continue;
    const [extra, missing] = [without(projected, folded), without(folded, projected)];
    throw new Error(`${tablePath} has ${extra.join('\n')}\nwhere the ledger comes to ${missing.join('\n')}`);
  }
}

/** How far the read model has folded each partition: the last ledger offset. */
export async function projectedOffsets(readModel: DataSource): Promise<ReadonlyMap<number, number>> {
  const rows = await readModel.query<{ partition: string; ledger_offset: string }[]>(
    'SELECT partition, ledger_offset FROM duewatch_read.position',
  );
  return new Map(rows.map((row) => [Number(row.partition), Number(row.ledger_offset)]));
}

async function rowsOf(database: DataSource, table: string): Promise<readonly string[]> {
  const rows = await database.query<{ row: string }[]>(`SELECT row::text AS row FROM ${table} AS row ORDER BY 1`);
  return rows.map(({ row }) => row);
}

function without(rows: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return rows.filter((row) => !known.has(row)).slice(0, 3);
}

/**
 * Throws where what the ledger has of a tenant is not what was taken: each expectation recorded once, satisfied where its
 * fact was taken and not else; each departure that never was, lapsed; and nothing more.
 */
export function assertCounts(tenants: readonly BusyTenant[], decided: readonly Decided[]): void {
  for (const { tenant, expectationIds, factKeys } of tenants) {
    const events = decided.filter((one) => one.tenant === tenant).map(({ event }) => event);
    const idsOf = (type: string): string[] =>
      events.flatMap((event) => (event.type === type && 'expectationId' in event ? [String(event.expectationId)] : []));
    const told = events.flatMap((event) => (event.type === 'factRecorded' ? [event.fact['factKey'] as string] : []));
    const byFact = [...factKeys].map((key) => key.replace(/^flight\.departed:(.*)$/, '$1.departure'));
    const satisfied = byFact.map((key) => key.replace(/^flight\.arrived:(.*)$/, '$1.arrival'));
    assert.deepEqual(idsOf('expectationRecorded').sort(), [...expectationIds].sort(), `what ${tenant} expects`);
    assert.deepEqual(told.sort(), [...factKeys].sort(), `what ${tenant} was told`);
    const expected = satisfied.filter((id) => expectationIds.has(id));
    assert.deepEqual(idsOf('expectationSatisfied').sort(), expected.sort(), `what ${tenant} has seen come true`);
  }
  assert.deepEqual(notLapsedOf(tenants, decided), [], 'what never was has lapsed');
}

/** The departures that never were and have not lapsed. */
export function notLapsedOf(tenants: readonly BusyTenant[], decided: readonly Decided[]): readonly string[] {
  const lapsed = new Set(
    decided.flatMap(({ event }) => (event.type === 'expectationLapsed' ? [event.expectationId] : [])),
  );
  return tenants.flatMap(({ neverDeparted }) => [...neverDeparted].filter((id) => !lapsed.has(id)));
}

/** The lapses of which it is neither known that an agent has them nor that none is to. */
export function undispatchedOf(decided: readonly Decided[]): readonly string[] {
  const { lapses, voided, acknowledged } = dispatchesIn(decided);
  return [...lapses].flatMap(([identity, id]) => (acknowledged.has(identity) || voided.has(identity) ? [] : [id]));
}

/**
 * Throws where agents that deduplicate by the message's id do not have each lapse exactly once: where one that is not void
 * is with none, where one that no ledger tells of is with one, or where two messages of one id differ.
 */
export function assertDelivered(decided: readonly Decided[], received: readonly Received[]): void {
  const { lapses, acknowledged } = dispatchesIn(decided);
  const messages = new Map<string, string>();
  for (const message of received) {
    const text = JSON.stringify(message);
    assert.equal(text, messages.get(message.messageId) ?? text, 'what is sent twice is the same');
    messages.set(message.messageId, text);
  }
  const known = new Set(lapses.values());
  assert.equal(known.size, lapses.size, 'each lapse has an id of its own');
  const strangers = [...messages.keys()].filter((id) => !known.has(id));
  assert.deepEqual(strangers, [], 'what is sent has lapsed');
  const lost = [...lapses].filter(([identity, id]) => acknowledged.has(identity) && !messages.has(id));
  assert.deepEqual(lost, [], 'what is acknowledged is with an agent');
  assert.deepEqual(undispatchedOf(decided), [], 'what has lapsed is with an agent, or void');
}

interface Dispatches {
  /** The message's id of each lapse, by its identity. */
  readonly lapses: ReadonlyMap<string, string>;
  readonly voided: ReadonlySet<string>;
  readonly acknowledged: ReadonlySet<string>;
}

function dispatchesIn(decided: readonly Decided[]): Dispatches {
  const lapses = new Map<string, string>();
  const [voided, acknowledged] = [new Set<string>(), new Set<string>()];
  for (const { tenant, event } of decided) {
    if (!('lapse' in event) || !('expectationId' in event)) continue;
    const lapse = typeof event.lapse === 'string' ? event.lapse : event.lapse.lapse;
    const identity = JSON.stringify([tenant, event.agentId, event.expectationId, lapse]);
    if (event.type === 'expectationLapsed') lapses.set(identity, event.messageId);
    if (event.type === 'dispatchVoided') voided.add(identity);
    if (event.type === 'dispatchAcknowledged') acknowledged.add(identity);
  }
  return { lapses, voided, acknowledged };
}
