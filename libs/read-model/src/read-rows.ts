// Rows of a query without the cost of an ORM's hydration: for lists, which may be long.
import type { EntityMetadata, ObjectLiteral, SelectQueryBuilder } from 'typeorm';

type ColumnMetadata = EntityMetadata['columns'][number];

/** The rows of the query's main table; what it joins may narrow and order them, and is not given. */
export async function readRows<Row extends ObjectLiteral>(query: SelectQueryBuilder<Row>): Promise<Row[]> {
  const alias = query.expressionMap.mainAlias;
  if (alias === undefined) throw new Error('assertion broken: a query has a table');
  const columns = alias.metadata.columns.map((column) => readerOf(alias.name, column));
  const found = await query.getRawMany<Record<string, unknown>>();
  return found.map((raw) => {
    const row: Record<string, unknown> = {};
    for (const { property, name, read } of columns) row[property] = read(raw[name]);
    return row as Row;
  });
}

interface ColumnReader {
  readonly property: string;
  readonly name: string;
  readonly read: (stored: unknown) => unknown;
}

function readerOf(alias: string, { propertyName, databaseName, transformer }: ColumnMetadata): ColumnReader {
  const name = `${alias}_${databaseName}`;
  if (transformer === undefined || Array.isArray(transformer))
    return { property: propertyName, name, read: (stored) => stored };
  return { property: propertyName, name, read: (stored): unknown => transformer.from(stored) };
}
