import { Client } from 'pg';
import { createDatabase } from '#testing';
import { describeRemindersOfReplicas } from './describe-reminders-replicas.ts';

describeRemindersOfReplicas('PostgreSQL', async () => {
  const database = await createDatabase();
  const client = new Client({ connectionString: database.url });
  await client.connect();
  return {
    serve: { places: { tasks: 'postgres', sessions: 'memory', work: 'postgres' }, databaseUrl: database.url },
    isContextKept: async (contextId) => {
      const kept = await client.query('SELECT 1 FROM duewatch_host.reminder_context WHERE context_id = $1', [
        contextId,
      ]);
      return kept.rows.length > 0;
    },
    abandon: async (taskId) => {
      const gone = `UPDATE duewatch_host.task SET owner = 'gone', lease_until = now() - interval '1 s' WHERE task_id = $1`;
      await client.query(gone, [taskId]);
    },
    close: async () => {
      await client.end();
      await database.drop();
    },
  };
});
