// The journal of reminders beside the host's tasks: what every journal must.
import { withStorage } from '#runtime';
import { createDatabase, describeReminderJournal } from '#testing';
import { openHostDatabase } from '../store/host-database.ts';
import { PostgresReminderJournal } from './postgres-reminder-journal.ts';

describeReminderJournal('in the task store’s PostgreSQL', async () => {
  const test = await createDatabase();
  const database = await openHostDatabase(test.url);
  return {
    journal: new PostgresReminderJournal(),
    within: (work) => database.transaction(work),
    keptCount: async () => {
      const [row] = await withStorage(
        database.query<{ count: string }[]>('SELECT count(*) FROM duewatch_host.reminder_context'),
      );
      return Number(row?.count);
    },
    close: async () => {
      await database.destroy();
      await test.drop();
    },
  };
});
