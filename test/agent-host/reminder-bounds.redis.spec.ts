import { RedisServer } from '#testing';
import { describeReminderBounds } from './describe-reminder-bounds.ts';

describeReminderBounds('Redis', async () => {
  const server = await RedisServer.start();
  const places = { tasks: 'redis', sessions: 'memory', work: 'memory' } as const;
  return { serve: { places, redis: server.address }, close: () => server.close() };
});
