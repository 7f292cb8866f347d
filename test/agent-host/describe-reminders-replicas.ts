// Reminders where two processes serve one agent on one store: what comes to one is told to the turn that the other runs.
import { type Task, TaskState } from '@a2a-js/sdk';
import { until } from '#testing';
import { activating, inject, subscribe } from './inject.ts';
import { remindedAgent, Seen } from './reminded-agent.ts';
import { isMessage, request, type SendOptions, ServedAgent, type ServeTestOptions, type Way } from './served-agent.ts';

const way: Way = ['JSONRPC', '1.0'];
const capabilities = { streaming: true, reminders: { inject: true, emit: true } };
const seen = new Seen();

/** What both keep their tasks in, and what only who looks into it knows. */
export interface SharedStore {
  readonly serve: Pick<ServeTestOptions, 'places' | 'databaseUrl' | 'redis'>;
  isContextKept(contextId: string): Promise<boolean>;
  /** As if whoever runs the task were gone. */
  abandon(taskId: string): Promise<void>;
  close(): Promise<void>;
}

export function describeRemindersOfReplicas(place: string, open: () => Promise<SharedStore>): void {
  describe(`reminders of two processes on ${place}`, () => describeThem(open));
}

function describeThem(open: () => Promise<SharedStore>): void {
  let store: SharedStore;
  let here: ServedAgent;
  let there: ServedAgent;

  const start = (claimed: object = capabilities): Promise<ServedAgent> =>
    ServedAgent.start(remindedAgent(seen), { card: { capabilities: claimed }, ...store.serve });

  beforeAll(async () => {
    store = await open();
    [here, there] = await Promise.all([start(), start()]);
  });
  afterAll(async () => {
    await Promise.all([here.close(), there.close()]);
    await store.close();
  });
  beforeEach(() => {
    Object.assign(seen, { isOpen: false, stepsCount: 0 });
    seen.turns.length = 0;
    seen.steps.length = 0;
  });

  const told = (text: string): readonly string[] | undefined => seen.of(text)?.reminders;
  const get = async (id: string): Promise<Task> => (await there.client(way)).getTask({ tenant: '', id });

  it('what comes to one process is in the next turn, whichever runs it, and expires with its turns', async () => {
    const { id } = await sent(here, 'later');
    await inject(there.url, way, id, { body: 'once', ttlTurns: 1 });
    await sent(here, 'later on', { taskId: id });
    expect(told('later on')).toEqual(['once']);
    await sent(there, 'later still', { taskId: id });
    expect(told('later still')).toEqual([]);
  });

  it('a turn of another process is interrupted, told at its next step, or left alone until the next turn', async () => {
    const { id } = await sent(here, 'hold', { configuration: { returnImmediately: true } });
    await until(() => told('hold') !== undefined, 'the turn');
    const task = { propagate: 'REMINDER_PROPAGATION_NONE' };
    await inject(there.url, way, id, { body: 'step', ...task });
    await inject(there.url, way, id, { body: 'turn', mode: 'wait_for_completion', ...task });
    await inject(there.url, way, id, { body: 'now', mode: 'interrupt_immediate', ...task });
    await until(() => seen.steps.length === 2, 'the interruption');
    expect(seen.steps).toEqual(['interrupted', 'now,step of now,step']);
    seen.isOpen = true;
    await until(async () => (await get(id)).status?.state === TaskState.TASK_STATE_INPUT_REQUIRED, 'the question');
    await sent(there, 'later', { taskId: id });
    expect(told('later')).toEqual(['step', 'turn', 'now']);
  });

  it('subscribers at either process are told, of a session’s in every task of the context', async () => {
    const { id, contextId } = await sent(here, 'hold', { configuration: { returnImmediately: true } });
    const other = await sent(there, 'later', { contextId });
    await until(() => told('hold') !== undefined, 'the turn');
    const updates: unknown[] = [];
    for await (const event of subscribe(there.url, way, id, new AbortController().signal, activating)) {
      if ('task' in event) await inject(here.url, way, other.id, { id: 'r', body: 'session' });
      const { reminderUpdate: update } = event as { reminderUpdate?: Record<string, unknown> };
      if (update === undefined) continue;
      updates.push([update['taskId'], update['contextId'], update['reason']]);
      seen.isOpen = true;
    }
    expect(updates).toEqual([[id, contextId, undefined]]);
  });

  it('many tasks of one context, at both, keep each other from nothing, and leave nothing once they are over', async () => {
    const { id, contextId } = await sent(here, 'later');
    const others = await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name, at) =>
        sent(at % 2 ? here : there, `later ${name}`, { contextId }),
      ),
    );
    await Promise.all(
      others.map((task, at) => inject(at % 2 ? there.url : here.url, way, task.id, { body: `of ${at}`, ttlTurns: 3 })),
    );
    await Promise.all(others.map((task, at) => sent(at % 2 ? there : here, `later again ${at}`, { taskId: task.id })));
    await Promise.all([{ id }, ...others].map((task, at) => sent(at % 2 ? here : there, 'end', { taskId: task.id })));
    const states = await Promise.all([{ id }, ...others].map(async (task) => (await get(task.id)).status?.state));
    expect(new Set(states)).toEqual(new Set([TaskState.TASK_STATE_COMPLETED]));
    expect(await store.isContextKept(contextId)).toBe(false);
  });

  it('a task whose process is gone ends its reminders with itself, and subscribers are told', async () => {
    const { id, contextId } = await sent(here, 'hold', { configuration: { returnImmediately: true } });
    await until(() => told('hold') !== undefined, 'the turn');
    const events: unknown[] = [];
    for await (const event of subscribe(there.url, way, id, new AbortController().signal, activating)) {
      if (events.push(event) > 1) continue;
      await inject(there.url, way, id, { body: 'until its end' });
      await store.abandon(id);
    }
    expect(events.slice(1)).toMatchObject([
      { reminderUpdate: { reminder: { body: 'until its end' } } },
      { reminderUpdate: { reason: 'REMINDER_EXPIRED' } },
      { statusUpdate: { status: { state: 'TASK_STATE_FAILED' } } },
    ]);
    expect(await store.isContextKept(contextId)).toBe(false);
  });

  it('a process whose card claims none ends reminders with their context all the same, and knows its own tasks', async () => {
    const silent = await start({ streaming: true });
    try {
      const { id, contextId } = await sent(here, 'later');
      await inject(here.url, way, id, { body: 'of this context' });
      const canceled = await (await silent.client(way)).cancelTask({ tenant: '', id, metadata: undefined });
      expect(canceled.status?.state).toBe(TaskState.TASK_STATE_CANCELED);
      await sent(here, 'later anew', { contextId });
      expect(told('later anew')).toEqual([]);
      const other = await sent(silent, 'later');
      await inject(here.url, way, other.id, { body: 'of a task that began there' });
      await sent(silent, 'later unclaimed', { taskId: other.id });
      expect(told('later unclaimed')).toEqual([]);
      await sent(here, 'later claimed', { taskId: other.id });
      expect(told('later claimed')).toEqual(['of a task that began there']);
    } finally {
      await silent.close();
    }
  });
}

async function sent(agent: ServedAgent, text: string, options: SendOptions = {}): Promise<Task> {
  const answer = await (await agent.client(way)).sendMessage(request(text, options));
  if (isMessage(answer)) throw new Error('it is a Message');
  return answer;
}
