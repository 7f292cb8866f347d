import { createDatabase } from '#testing';
import { describeReminderBounds } from './describe-reminder-bounds.ts';

describeReminderBounds('memory', async () => ({
  serve: { places: { tasks: 'memory', sessions: 'memory', work: 'memory' } },
  close: async () => undefined,
}));

describeReminderBounds('PostgreSQL', async () => {
  const database = await createDatabase();
  const places = { tasks: 'postgres', sessions: 'memory', work: 'memory' } as const;
  return { serve: { places, databaseUrl: database.url }, close: () => database.drop() };
});
