import type { DataSource } from 'typeorm';
import { createDatabase, schemaDifferences, type TestDatabase } from '#testing';
import { openReadModel } from './read-model.ts';

describe('the read model', () => {
  let database: TestDatabase;
  let readModel: DataSource;

  beforeAll(async () => {
    database = await createDatabase();
    readModel = await openReadModel(database.url);
  });
  afterAll(async () => {
    await readModel.destroy();
    await database.drop();
  });

  it('migrates to exactly what the entities say', async () => {
    expect(await schemaDifferences(readModel)).toEqual([]);
  });

  it('is migrated once by many at a time', async () => {
    const fresh = await createDatabase();
    const opened = await Promise.all([1, 2, 3].map(() => openReadModel(fresh.url)));
    const migrations: { name: string }[] = await opened[0]!.query('SELECT name FROM duewatch_read.migration');
    expect(new Set(migrations.map(({ name }) => name)).size).toBe(migrations.length);
    expect(migrations).not.toHaveLength(0);
    await Promise.all(opened.map((each) => each.destroy()));
    await fresh.drop();
  });
});
