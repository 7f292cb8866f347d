// How much may be asked for with reminders, where whoever serves the agent says so: by either road, in each store.
import { inject } from './inject.ts';
import { remindedAgent, Seen } from './reminded-agent.ts';
import { capabilities } from './reminded-service.ts';
import { isMessage, request, ServedAgent, type ServeTestOptions, type Way } from './served-agent.ts';

const way: Way = ['JSONRPC', '1.0'];
const reminderBounds = { bodyBytes: 8, tagsCount: 1, livePerTaskCount: 2, metadataBytes: 16 };

export interface TasksPlace {
  readonly serve: Pick<ServeTestOptions, 'places' | 'databaseUrl' | 'redis'>;
  close(): Promise<void>;
}

export function describeReminderBounds(name: string, openPlace: () => Promise<TasksPlace>): void {
  describe(`with tasks in ${name}`, () => describeThem(openPlace));
}

function describeThem(openPlace: () => Promise<TasksPlace>): void {
  let place: TasksPlace;
  let agent: ServedAgent;

  beforeAll(async () => {
    place = await openPlace();
    const card = { capabilities };
    agent = await ServedAgent.start(remindedAgent(new Seen()), { card, ...place.serve, reminderBounds });
  });
  afterAll(async () => {
    await agent.close();
    await place.close();
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
}
