// Finds expectations. Every query names the tenant; every value is a parameter.
import { In, type SelectQueryBuilder } from 'typeorm';
import { ExpectationRow, identityHash, LapseRow, OpenExpectationRow, toStoredText, readRows } from '#read-model';
import { type Page, pageOf } from '#runtime';
import { markHeld } from '../pauses/held.ts';
import type { Snapshot } from '../reading/snapshot.ts';
import type { ExpectationFilter } from './expectation-filter.ts';
import { type ExpectationView, viewExpectation } from './expectation-view.ts';

/** One page; its cursor is the place of its last row in the order. */
export async function findExpectations(snapshot: Snapshot, filter: ExpectationFilter): Promise<Page<ExpectationView>> {
  const query = snapshot.manager
    .createQueryBuilder(ExpectationRow, 'e')
    .where('e.tenant = :tenant', { tenant: toStoredText(snapshot.tenant) });
  if (filter.status === 'open') narrowToOpen(query, filter);
  else if (filter.status !== undefined) query.andWhere('e.status = :status', { status: filter.status });
  narrowByName(query, snapshot, filter);
  narrowByState(query, snapshot, filter);
  const rows = await readRows(inOrder(query, filter).limit(filter.limit + 1));
  const page = pageOf(rows, filter.limit, (row) => placeOf(row, filter));
  return { ...page, items: await viewExpectations(snapshot, page.items) };
}

/** The latest use of an id. */
export async function findExpectation(
  snapshot: Snapshot,
  agentId: string,
  expectationId: string,
): Promise<ExpectationView | undefined> {
  const { manager, tenant } = snapshot;
  const row = await manager.findOne(ExpectationRow, {
    where: { expectationHash: identityHash(tenant, agentId, expectationId), tenant, agentId, expectationId },
    order: { occurrence: 'DESC' },
  });
  return row === null ? undefined : (await viewExpectations(snapshot, [row]))[0];
}

/** Shows the rows with their lapses. */
export async function viewExpectations(
  snapshot: Snapshot,
  rows: readonly ExpectationRow[],
): Promise<ExpectationView[]> {
  const { manager, tenant, asOf } = snapshot;
  if (rows.length === 0) return [];
  const found = await manager.find(LapseRow, {
    where: { tenant, expectationHash: In(rows.map(({ expectationHash }) => expectationHash)) },
    order: { ledgerOffset: 'ASC', eventIndex: 'ASC' },
  });
  const lapses = await markHeld(snapshot, found);
  const ofRow = (row: ExpectationRow): LapseRow[] =>
    lapses.filter((lapse) => lapse.expectationHash === row.expectationHash && lapse.occurrence === row.occurrence);
  return rows.map((row) => viewExpectation(row, ofRow(row), asOf));
}

type Query = SelectQueryBuilder<ExpectationRow>;

/** What is open stands in a narrow list of its own, however long the record is. */
function narrowToOpen(query: Query, { lapse, suspended, nothingWillLapse }: ExpectationFilter): void {
  query
    .innerJoin(OpenExpectationRow, 'o', 'o.expectationHash = e.expectationHash AND o.occurrence = e.occurrence')
    .andWhere('o.tenant = :tenant');
  if (lapse !== undefined) query.andWhere('o.lapsed');
  if (suspended === true || nothingWillLapse === true) query.andWhere('o.suspended');
}

function narrowByName(query: Query, { tenant }: Snapshot, filter: ExpectationFilter): void {
  for (const name of ['kind', 'subjectType', 'subjectId', 'agentId', 'expectationId'] as const) {
    const value = filter[name];
    if (value !== undefined) query.andWhere(`e.${name} = :${name}`, { [name]: toStoredText(value) });
  }
  const { subjectType, subjectId, agentId, expectationId, text } = filter;
  if (subjectType !== undefined && subjectId !== undefined) {
    query.andWhere('e.subjectHash = :subjectHash', { subjectHash: identityHash(tenant, subjectType, subjectId) });
  }
  if (agentId !== undefined && expectationId !== undefined) {
    query.andWhere('e.expectationHash = :hash', { hash: identityHash(tenant, agentId, expectationId) });
  }
  if (text !== undefined) {
    const anywhere = `concat_ws(chr(10), e.expects, e.subject_id, e.expectation_id, e.kind, e.fact_key, e.agent_id)`;
    query.andWhere(`position(lower(:text) IN lower(${anywhere})) > 0`, { text: toStoredText(text) });
  }
}

function narrowByState(query: Query, { asOf }: Snapshot, filter: ExpectationFilter): void {
  const { lapse, dueFrom, dueTo, suspended, nothingWillLapse, grace, slipMs } = filter;
  const hasLapsed = (kind: string): string =>
    `EXISTS (SELECT FROM duewatch_read.lapse l WHERE l.expectation_hash = e.expectation_hash AND l.occurrence = e.occurrence${kind})`;
  if (lapse === 'any') query.andWhere(hasLapsed(''));
  else if (lapse !== undefined) query.andWhere(hasLapsed(' AND l.lapse = :lapse'), { lapse });
  if (dueFrom !== undefined) query.andWhere('e.dueAt >= :dueFrom', { dueFrom: dueFrom.toISOString() });
  if (dueTo !== undefined) query.andWhere('e.dueAt < :dueTo', { dueTo: dueTo.toISOString() });
  if (suspended !== undefined) query.andWhere('e.suspended = :suspended', { suspended });
  if (slipMs !== undefined) query.andWhere(`e.dueAt >= e.projectedDueAt + :slip * interval '1 ms'`, { slip: slipMs });
  if (grace !== undefined) {
    // What is due, open and not suspended is overdue from the end of its grace on, unless it was skipped.
    const lapsed = hasLapsed(` AND l.lapse IN ('overdue', 'skipped')`);
    const isInGrace = `e.status = 'open' AND NOT e.suspended AND e.dueAt < :asOf AND NOT ${lapsed}`;
    query.andWhere(grace ? isInGrace : `NOT coalesce(${isInGrace}, false)`, { asOf });
  }
  if (nothingWillLapse !== undefined) {
    // Semantics, *States*: as `viewExpectation` warns.
    const cannot = `e.suspended AND (e.horizon IS NULL OR e.horizon < :asOf OR ${hasLapsed(` AND l.lapse = 'stalled'`)})`;
    query.andWhere(nothingWillLapse ? cannot : `NOT coalesce(${cannot}, false)`, { asOf });
  }
}

function inOrder(query: Query, { status, order, cursor }: ExpectationFilter): Query {
  const place = status === 'open' ? 'o' : 'e';
  const columns = [...(order === 'due' ? ['dueAt'] : []), 'ledgerOffset', 'eventIndex'].map(
    (name) => `${place}.${name}`,
  );
  if (cursor !== undefined) {
    const values = cursor.map((_, index) => `:cursor${index}`).join();
    const numbers = order === 'due' ? [new Date(cursor[0] ?? 0).toISOString(), ...cursor.slice(1)] : cursor;
    query.andWhere(
      `(${columns.join(', ')}) > (${values})`,
      Object.fromEntries(numbers.map((value, index) => [`cursor${index}`, value])),
    );
  }
  const [first = '', ...rest] = columns;
  return rest.reduce((ordered, column) => ordered.addOrderBy(column), query.orderBy(first));
}

function placeOf({ dueAt, ledgerOffset, eventIndex }: ExpectationRow, { order }: ExpectationFilter): readonly number[] {
  return order === 'due' ? [Date.parse(dueAt), ledgerOffset, eventIndex] : [ledgerOffset, eventIndex];
}
