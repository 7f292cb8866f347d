// What one tenant's reminders may hold of the database that all tenants' share.
import type { DataSource } from 'typeorm';
import { defaultBounds, readInject } from '#reminders';
import { openEdgeDatabase, systemClock } from '#runtime';
import { createDatabase, type TestDatabase, until } from '#testing';
import type { Writes } from '#writes';
import { KeptReminders } from './kept-reminders.ts';

let server: TestDatabase;
let database: DataSource;
beforeAll(async () => {
  server = await createDatabase();
  database = await openEdgeDatabase(server.url);
});
afterAll(async () => {
  await database.destroy();
  await server.drop();
});

it('a tenant whose reminders wait for the log leaves connections to others, and is refused more in time', async () => {
  let letGo: () => void = () => undefined;
  const slow = new Promise<void>((resolve) => (letGo = resolve));
  let slowCount = 0;
  const tell = async (tenant: string): Promise<boolean> => {
    if (tenant !== 'mallory') return true;
    slowCount += 1;
    await slow;
    return true;
  };
  const kept = new KeptReminders(database, systemClock, { tell } as unknown as Writes);
  const inject = (tenant: string, taskId: string) => {
    const request = readInject({ taskId, reminder: { body: 'Rebase first.' } });
    if ('refusal' in request) throw new Error('it is refused');
    return kept.inject({ tenant, agentId: 'booking', taskId }, request, { contextId: 'c', interfacePath: 'rest/1.0' });
  };
  const many = Array.from({ length: 300 }, (_, nth) => inject('mallory', `task-${nth}`));
  const settled = Promise.allSettled(many);
  await until(() => slowCount > 0, 'the log to be waited for');
  expect(await inject('acme', 'task')).toMatchObject({ answer: { dedupedCount: 0 } });
  expect(await kept.waiting({ tenant: 'acme', agentId: 'booking', taskId: 'task' })).toHaveLength(1);
  letGo();
  const refused = (await settled).filter(({ status }) => status === 'rejected');
  expect(refused).toHaveLength(98);
  expect(refused[0]).toMatchObject({ reason: { type: 'tenant-overloaded' } });
});

it('so many wait for a task as whoever runs the gateway says, and no more', async () => {
  const writes = { tell: async () => true } as unknown as Writes;
  const config = { reminderBounds: { ...defaultBounds, livePerTaskCount: 1 } };
  const kept = new KeptReminders(database, systemClock, writes, config);
  const of = { tenant: 'bounded', agentId: 'booking', taskId: 'task' };
  const inject = (body: string) => {
    const request = readInject({ taskId: 'task', reminder: { body } }, kept.bounds);
    if ('refusal' in request) throw new Error('it is refused');
    return kept.inject(of, request, { contextId: 'c', interfacePath: 'rest/1.0' });
  };
  expect(await inject('one')).toMatchObject({ answer: { dedupedCount: 0 } });
  expect(await inject('two')).toMatchObject({ refusal: { code: 'live_bound' } });
});
