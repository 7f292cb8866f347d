// The journal of reminders beside the host's tasks: what every journal must.
import { systemClock } from '#runtime';
import { describeReminderJournal, RedisServer } from '#testing';
import { HostRedis } from '../redis/host-redis.ts';
import { RedisReminderJournal } from './redis-reminder-journal.ts';

let server: RedisServer;
beforeAll(async () => (server = await RedisServer.start()));
afterAll(() => server.close());

describeReminderJournal('in the task store’s Redis', async () => {
  await server.command('FLUSHALL');
  const redis = await HostRedis.open(server.address, { clock: systemClock, report: () => undefined });
  return {
    journal: new RedisReminderJournal('application'),
    within: (work) => redis.inStep(work),
    keptCount: () => redis.ask((client) => client.dbsize()),
    close: async () => redis.close(),
  };
});
