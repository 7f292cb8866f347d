// The whole record of a watcher, read from its database and checked for what must always hold of it: each input's output
// whole, once, in order; nothing decided twice.
import { strict as assert } from 'node:assert';
import type { Client } from 'pg';
import { decodeLedger, isPositioned, type LedgerEvent } from '#event-log';

/** One event with the inbox record that it was decided from. */
export interface Decided {
  readonly tenant: string;
  readonly partition: number;
  readonly offset: number;
  readonly event: LedgerEvent;
}

/** A record of the ledger. */
export interface LedgerRow {
  readonly partition: number;
  readonly value: Uint8Array;
}

/** All events, by partition in their order. Throws where the record is not as it must be. */
export async function readWholeLedger(client: Client): Promise<readonly Decided[]> {
  const { rows } = await client.query<LedgerRow>(
    'SELECT partition, value FROM duewatch_log.ledger ORDER BY partition, record_offset',
  );
  return decidedIn(rows);
}

/** The events of all records, which are in order by partition. Throws where the record is not as it must be. */
export function decidedIn(rows: Iterable<LedgerRow>): readonly Decided[] {
  const decided: Decided[] = [];
  const inputs = new Map<number, { offset: number; eventCount: number; isWhole: boolean }>();
  for (const { partition, value } of rows) {
    const entry = decodeLedger(value);
    if (!isPositioned(entry)) continue;
    const last = inputs.get(partition);
    const isNext = last === undefined || last.isWhole;
    if (isNext) assert(entry.offset > (last?.offset ?? -1), `input ${partition}-${entry.offset} is decided once`);
    else assert.equal(entry.offset, last.offset, `input ${partition}-${last.offset} is decided to its end`);
    const before = isNext ? 0 : last.eventCount;
    assert.equal(entry.n, before, `input ${partition}-${entry.offset} misses no part and repeats none`);
    const events = 'events' in entry ? entry.events : [];
    inputs.set(partition, { offset: entry.offset, eventCount: before + events.length, isWhole: entry.last });
    if (!('events' in entry)) continue;
    for (const event of events) decided.push({ tenant: entry.tenant, partition, offset: entry.offset, event });
  }
  for (const [partition, { offset, isWhole }] of inputs) {
    assert(isWhole, `input ${partition}-${offset}, the last, is decided to its end`);
  }
  assertOnce(decided);
  return decided;
}

/** The places of a tenant's inputs that have no outcome yet. */
export async function undecidedInputs(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ partition: number; record_offset: string }>(
    'SELECT partition, record_offset FROM duewatch_log.inbox WHERE tenant IS NOT NULL',
  );
  const known = new Set((await readWholeLedger(client)).map(({ partition, offset }) => `${partition}-${offset}`));
  return rows.map((row) => `${row.partition}-${row.record_offset}`).filter((place) => !known.has(place));
}

/** What happens once to an expectation or a fact has happened once. */
function assertOnce(decided: readonly Decided[]): void {
  const seen = new Set<string>();
  for (const { tenant, event } of decided) {
    const name = nameOf(event);
    if (name === undefined) continue;
    const identity = JSON.stringify([tenant, event.type, ...name]);
    assert(!seen.has(identity), `decided twice: ${identity}`);
    seen.add(identity);
  }
}

function nameOf(event: LedgerEvent): readonly unknown[] | undefined {
  switch (event.type) {
    case 'expectationRecorded':
    case 'expectationSatisfied':
    case 'expectationWithdrawn':
      return [event.agentId, event.expectationId];
    case 'expectationLapsed':
      return [event.agentId, event.expectationId, event.lapse.lapse];
    case 'factRecorded':
      return [event.reporter, event.fact['factKey'], event.observedAt];
    default:
      return undefined;
  }
}
