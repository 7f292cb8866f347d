import { createDatabase } from '#testing';
import { describeReplicas } from './describe-replicas.ts';

describeReplicas('postgres', async () => {
  const database = await createDatabase();
  return { environment: { DUEWATCH_DATABASE_URL: database.url }, close: () => database.drop() };
});
