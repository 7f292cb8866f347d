// What TypeORM would change of a database's tables to have them as the entities say.
import type { DataSource, QueryRunner } from 'typeorm';

/** The statements; none where they agree. */
export async function schemaDifferences(database: DataSource): Promise<readonly string[]> {
  const create = database.createQueryRunner.bind(database);
  database.createQueryRunner = (mode) => inLine(create(mode));
  try {
    const { upQueries } = await database.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  } finally {
    database.createQueryRunner = create;
  }
}

/** TypeORM asks several things at once of one connection here, which pg will refuse one day. */
function inLine(runner: QueryRunner): QueryRunner {
  const ask = runner.query.bind(runner) as (...question: unknown[]) => Promise<unknown>;
  let last: Promise<unknown> = Promise.resolve();
  const query = (...question: unknown[]): Promise<unknown> => {
    const answer = last.then(() => ask(...question));
    last = answer.catch(() => undefined);
    return answer;
  };
  return Object.assign(runner, { query });
}
