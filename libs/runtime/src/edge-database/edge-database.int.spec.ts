import { createDatabase, schemaDifferences, type TestDatabase } from '#testing';
import { openEdgeDatabase } from './edge-database.ts';

describe("the edges' database", () => {
  let test: TestDatabase;

  beforeAll(async () => {
    test = await createDatabase();
  });

  afterAll(() => test.drop());

  it('is migrated by one of several processes that start at once', async () => {
    const databases = await Promise.all([1, 2, 3].map(() => openEdgeDatabase(test.url)));
    await Promise.all(databases.map((database) => database.destroy()));
  });

  it('has the tables that the entities say, and can be migrated back', async () => {
    const database = await openEdgeDatabase(test.url);
    expect(await schemaDifferences(database)).toEqual([]);
    await database.undoLastMigration();
    await database.runMigrations();
    await database.destroy();
  });
});
