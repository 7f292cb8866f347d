// Many rows in one statement: each column one array parameter, unnested. Column types and transformers are the
// entities' own. Table and column names come from the entities; every value is a parameter.
import type { EntityMetadata, EntityTarget, ObjectLiteral, QueryRunner } from 'typeorm';
import { type ArrayType, encodeArray } from './pg-array.ts';

interface BulkColumn<Row> {
  readonly property: string & keyof Row;
  readonly name: string;
  readonly type: ArrayType;
  readonly encode: (rows: readonly Partial<Row>[]) => Buffer;
}

/** Inserts the rows; none is no statement. */
export async function insertRows<Row extends ObjectLiteral>(
  runner: QueryRunner,
  table: EntityTarget<Row>,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const metadata = runner.dataSource.getMetadata(table);
  await run(runner, insertInto(metadata, columnsOf<Row>(metadata)), columnsOf<Row>(metadata), rows);
}

/** Inserts those rows that are not there yet and of which `where` (a condition on `added`) holds. */
export async function insertRowsWhere<Row extends ObjectLiteral>(
  runner: QueryRunner,
  table: EntityTarget<Row>,
  rows: readonly Row[],
  where: string,
): Promise<void> {
  if (rows.length === 0) return;
  const metadata = runner.dataSource.getMetadata(table);
  const columns = columnsOf<Row>(metadata);
  await run(runner, `${insertInto(metadata, columns)} WHERE ${where} ON CONFLICT DO NOTHING`, columns, rows);
}

/** Inserts the rows, or overwrites those of the same key; `keep` names columns in which a new null keeps the old value. */
export async function upsertRows<Row extends ObjectLiteral>(
  runner: QueryRunner,
  table: EntityTarget<Row>,
  rows: readonly Row[],
  keep: readonly (keyof Row)[] = [],
): Promise<void> {
  if (rows.length === 0) return;
  const metadata = runner.dataSource.getMetadata(table);
  const columns = columnsOf<Row>(metadata);
  const key = metadata.primaryColumns.map((column) => column.databaseName);
  const assignments = columns
    .filter(({ name }) => !key.includes(name))
    .map(({ name, property }) =>
      keep.includes(property) ? `${name} = coalesce(excluded.${name}, stored.${name})` : `${name} = excluded.${name}`,
    );
  const sql = `${insertInto(metadata, columns)} ON CONFLICT (${key.join()}) DO UPDATE SET ${assignments.join()}`;
  await run(runner, sql, columns, rows);
}

/** What a patch asks of the row it changes, and how a column is changed where it is not simply set. */
export interface PatchOptions<Row> {
  /** A condition on `stored`. */
  readonly where?: string;
  /** Expressions over `stored` and `patch`. */
  readonly assign?: { readonly [property in keyof Row]?: string };
}

/**
 * Changes stored rows: of each patch the properties it has, in the row that equals it in all of `by`. A patch that
 * finds no row changes nothing; no property can become null. Each row is found by its key and written where it was
 * found: a join of the planner's choice reads the whole table when it was analysed while it was being filled.
 */
export async function patchRows<Row extends ObjectLiteral>(
  runner: QueryRunner,
  table: EntityTarget<Row>,
  patches: readonly Partial<Row>[],
  by: readonly (keyof Row)[],
  { where = 'true', assign = {} }: PatchOptions<Row> = {},
): Promise<void> {
  if (patches.length === 0) return;
  const metadata = runner.dataSource.getMetadata(table);
  const patched = new Set<string>(patches.flatMap((patch) => Object.keys(patch)));
  const columns = columnsOf<Row>(metadata).filter(({ property }) => patched.has(property));
  const assignments = columns
    .filter(({ property }) => !by.includes(property))
    .map(({ property, name }) => `${name} = ${assign[property] ?? `coalesce(patch.${name}, stored.${name})`}`);
  const matches = columns
    .filter(({ property }) => by.includes(property))
    .map(({ name }) => `stored.${name} = patch.${name}`);
  if (assignments.length === 0) return;
  const sql = `WITH patch AS MATERIALIZED (
      SELECT patch.*, found.place FROM unnest(${parametersOf(columns)}) AS patch (${namesOf(columns)})
      CROSS JOIN LATERAL (
        SELECT stored.ctid AS place FROM ${metadata.tablePath} AS stored WHERE ${matches.join(' AND ')} AND ${where} LIMIT 1
      ) AS found
    )
    UPDATE ${metadata.tablePath} AS stored SET ${assignments.join()} FROM patch WHERE stored.ctid = patch.place`;
  await run(runner, sql, columns, patches);
}

/** Deletes the rows that equal one of `keys` in the column of `by`. */
export async function deleteRows<Row extends ObjectLiteral>(
  runner: QueryRunner,
  table: EntityTarget<Row>,
  keys: readonly Partial<Row>[],
  by: keyof Row,
): Promise<void> {
  if (keys.length === 0) return;
  const metadata = runner.dataSource.getMetadata(table);
  const columns = columnsOf<Row>(metadata).filter(({ property }) => property === by);
  const sql = `DELETE FROM ${metadata.tablePath} WHERE ${namesOf(columns)} = ANY (${parametersOf(columns)})`;
  await run(runner, sql, columns, keys);
}

function insertInto<Row>(metadata: EntityMetadata, columns: readonly BulkColumn<Row>[]): string {
  const names = namesOf(columns);
  return `INSERT INTO ${metadata.tablePath} AS stored (${names}) SELECT ${names} FROM unnest(${parametersOf(columns)}) AS added (${names})`;
}

function namesOf<Row>(columns: readonly BulkColumn<Row>[]): string {
  return columns.map(({ name }) => name).join();
}

function parametersOf<Row>(columns: readonly BulkColumn<Row>[]): string {
  return columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join();
}

async function run<Row>(
  runner: QueryRunner,
  sql: string,
  columns: readonly BulkColumn<Row>[],
  rows: readonly Partial<Row>[],
): Promise<void> {
  await runner.query(
    sql,
    columns.map((column) => column.encode(rows)),
  );
}

const columnsByTable = new WeakMap<EntityMetadata, readonly BulkColumn<never>[]>();

/** The columns of a table, worked out once. */
function columnsOf<Row extends ObjectLiteral>(metadata: EntityMetadata): readonly BulkColumn<Row>[] {
  const known = columnsByTable.get(metadata);
  if (known !== undefined) return known as readonly BulkColumn<Row>[];
  const columns = metadata.columns.map((column): BulkColumn<Row> => {
    const property = column.propertyName as string & keyof Row;
    const type = column.type as ArrayType;
    const transformer = Array.isArray(column.transformer) ? undefined : column.transformer;
    return {
      property,
      name: column.databaseName,
      type,
      encode: (rows) =>
        encodeArray(type, rows, (row): unknown =>
          transformer === undefined ? row[property] : transformer.to(row[property]),
        ),
    };
  });
  columnsByTable.set(metadata, columns);
  return columns;
}
