// How much may be asked for with reminders, where whoever serves the agent says so: by either road, in each store.
import { createDatabase, type TestDatabase } from '#testing';
import { inject } from './inject.ts';
import { remindedAgent, Seen } from './reminded-agent.ts';
import { capabilities } from './reminded-service.ts';
import { isMessage, request, ServedAgent, type Way } from './served-agent.ts';

const way: Way = ['JSONRPC', '1.0'];
const reminderBounds = { bodyBytes: 8, tagsCount: 1, livePerTaskCount: 2, metadataBytes: 16 };

describe.each(['memory', 'postgres'] as const)('with tasks in %s', (tasks) => {
  let server: TestDatabase | undefined;
  let agent: ServedAgent;

  beforeAll(async () => {
    server = tasks === 'postgres' ? await createDatabase() : undefined;
    agent = await ServedAgent.start(remindedAgent(new Seen()), {
      ...{ card: { capabilities }, places: { tasks, sessions: 'memory', work: 'memory' }, reminderBounds },
      ...(server && { databaseUrl: server.url }),
    });
  });
  afterAll(async () => {
    await agent.close();
    await server?.drop();
  });

  const send = async (taskId?: string, ...bodies: string[]): Promise<string> => {
    const asked = request('later', taskId === undefined ? {} : { taskId });
    if (bodies.length > 0) asked.message!.metadata = { harn: { reminder: bodies.map((body) => ({ body })) } };
    const task = await (await agent.client(way)).sendMessage(asked);
    return isMessage(task) ? '' : task.id;
  };

  it('an inject is taken within them, and refused past each', async () => {
    const id = await send();
    const ask = async (reminder: object) => (await inject(agent.url, way, id, reminder)).message;
    expect(await ask({ body: 'x'.repeat(8), tags: ['a'] })).toBe('');
    expect(await ask({ body: 'x'.repeat(9) })).toContain('must have at most 8 bytes');
    expect(await ask({ body: 'x', tags: ['a', 'b'] })).toContain('must be at most 1 different ones');
    expect(await ask({ body: 'y' })).toBe('');
    expect(await ask({ body: 'z' })).toContain('2 reminders of the task are live');
  });

  it('what a message carries is bounded alike', async () => {
    const id = await send(undefined, 'one');
    await expect(send(id, 'x'.repeat(9))).rejects.toThrow('must have at most 8 bytes');
    await expect(send(id, 'two', 'three')).rejects.toThrow('2 reminders of the task are live');
    expect(await send(id, 'two')).toBe(id);
  });
});
