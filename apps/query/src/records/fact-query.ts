// Finds facts, the latest first. Every query names the tenant; every value is a parameter.
import { FactRow, FactSubjectRow, identityHash, toStoredText, readRows } from '#read-model';
import { type Page, pageOf, QueryParameters } from '#runtime';
import type { Snapshot } from '../reading/snapshot.ts';
import { type FactView, viewFact } from './fact-view.ts';

export interface FactFilter {
  readonly factKey?: string | undefined;
  readonly source?: string | undefined;
  /** Both or neither narrow by subject. */
  readonly subjectType?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly limit: number;
  readonly cursor?: readonly number[] | undefined;
}

/** Throws `Problem` (`invalid-field`) naming the parameter. */
export function readFactFilter(query: Readonly<Record<string, unknown>>): FactFilter {
  const parameters = new QueryParameters(query, ['factKey', 'source', 'subjectType', 'subjectId']);
  const [subjectType, subjectId] = parameters.subject();
  return {
    factKey: parameters.text('factKey'),
    source: parameters.text('source'),
    ...{ subjectType, subjectId },
    limit: parameters.limit(),
    cursor: parameters.cursor(1),
  };
}

export async function findFacts({ manager, tenant }: Snapshot, filter: FactFilter): Promise<Page<FactView>> {
  const query = manager.createQueryBuilder(FactRow, 'f').where('f.tenant = :tenant', { tenant: toStoredText(tenant) });
  const { factKey, source, subjectType, subjectId, limit, cursor } = filter;
  if (factKey !== undefined) query.andWhere('f.factKey = :factKey', { factKey: toStoredText(factKey) });
  if (source !== undefined) query.andWhere('f.reporter = :source', { source: toStoredText(source) });
  if (subjectType !== undefined && subjectId !== undefined) {
    query.innerJoin(FactSubjectRow, 's', 's.factNumber = f.factNumber AND s.subjectHash = :subject', {
      subject: identityHash(tenant, subjectType, subjectId),
    });
  }
  if (cursor !== undefined) query.andWhere('f.factNumber < :before', { before: cursor[0] });
  const rows = await readRows(query.orderBy('f.factNumber', 'DESC').limit(limit + 1));
  const page = pageOf(rows, limit, ({ factNumber }) => [factNumber]);
  return { ...page, items: page.items.map(viewFact) };
}
