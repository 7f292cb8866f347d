import { Client } from 'pg';
import { createDatabase } from '#testing';
import { describeExternalWaiting } from './describe-external-waiting.ts';

const placesOf = (kind: 'memory' | 'postgres') => ({ tasks: kind, sessions: kind, work: kind });

describeExternalWaiting(
  'memory',
  async () => ({ serve: { places: placesOf('memory') }, kept: async () => '', close: async () => undefined }),
  false,
);

describeExternalWaiting('PostgreSQL', async () => {
  const database = await createDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return {
    serve: { places: placesOf('postgres'), databaseUrl: database.url },
    kept: async () => {
      const kept = await client.query(
        'SELECT work::text FROM duewatch_host.work UNION ALL SELECT wait::text FROM duewatch_host.wait',
      );
      return JSON.stringify(kept.rows);
    },
    close: async () => {
      await client.end();
      await database.drop();
    },
  };
});
