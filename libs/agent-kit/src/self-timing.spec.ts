import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Task } from '@a2a-js/sdk';
import { AgentCard, Message, SendMessageRequest, TaskState } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore, ServerCallContext } from '@a2a-js/sdk/server';
import { EXTENSION_URI, type LapseRequest } from '#protocol';
import type { Clock } from './clock.ts';
import { expectations, type Expectations } from './expectations.ts';
import { OwnLapseTasks, timedExecutor, timedStore } from './sdk-self-timing.ts';
import { type LapseTasks, SelfTiming } from './self-timing.ts';
import { FileJournal } from './file-journal.ts';
import { MemoryJournal, type TimingJournal } from './timing-journal.ts';

/** Time goes on when the test says so. */
class TestClock implements Clock {
  private nowMs = Date.parse('2026-09-10T12:00:00Z');
  private readonly sleepers = new Set<{ readonly wakesAtMs: number; readonly wake: () => void }>();

  now = (): number => this.nowMs;

  sleep = (durationMs: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = (): void => {
        this.sleepers.delete(sleeper);
        resolve();
      };
      const sleeper = { wakesAtMs: this.nowMs + durationMs, wake };
      this.sleepers.add(sleeper);
      if (signal?.aborted === true) wake();
      signal?.addEventListener('abort', wake, { once: true });
    });

  async advance(durationMs: number): Promise<void> {
    const untilMs = this.nowMs + durationMs;
    await settle();
    for (;;) {
      const [next] = [...this.sleepers].toSorted((one, other) => one.wakesAtMs - other.wakesAtMs);
      if (next === undefined || next.wakesAtMs > untilMs) break;
      this.nowMs = Math.max(this.nowMs, next.wakesAtMs);
      next.wake();
      await settle();
    }
    this.nowMs = untilMs;
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
}

class TestTasks implements LapseTasks {
  readonly submitted: LapseRequest[] = [];
  readonly faults: Error[] = [];
  found: string | undefined;
  searchesCount = 0;
  private tellFirst: () => void = () => undefined;
  readonly first = new Promise<void>((resolve) => (this.tellFirst = resolve));

  submit = async (request: LapseRequest): Promise<string | undefined> => {
    const fault = this.faults.shift();
    if (fault !== undefined) throw fault;
    this.submitted.push(request);
    this.tellFirst();
    return `task-${this.submitted.length}`;
  };

  find = async (): Promise<string | undefined> => {
    this.searchesCount += 1;
    return this.found;
  };
}

const definition = {
  lapseSkill: 'handle_lapse',
  keepsTime: true,
  kinds: { manifest: { subjectType: 'shipment', describes: 'the manifest of a shipment', basis: 'observed' } },
} as const;

let clock: TestClock;
let tasks: TestTasks;
let journal: MemoryJournal;
let desk: Expectations<'manifest'>;
let running: { readonly stopping: AbortController; readonly ended: Promise<void> }[];

beforeEach(() => {
  clock = new TestClock();
  tasks = new TestTasks();
  journal = new MemoryJournal();
  desk = expectations(definition, clock);
  running = [];
});

afterEach(stop);

async function stop(): Promise<void> {
  for (const { stopping } of running) stopping.abort();
  await Promise.all(running.map(({ ended }) => ended));
  running = [];
}

async function start(on: TimingJournal = journal, lapseTasks: LapseTasks = tasks): Promise<SelfTiming> {
  const timing = await SelfTiming.open(desk, { journal: on, lapseTasks, clock });
  const stopping = new AbortController();
  running.push({ stopping, ended: timing.run(stopping.signal) });
  return timing;
}

/** A finished task that wants a manifest within an hour. */
function booked(state = 'TASK_STATE_COMPLETED'): object {
  const block = desk.inTask({ taskId: 'task-0', contextId: 'ctx-1', isActivated: true });
  block.expect('manifest', { subject: 'PA-1', due: { in: 'PT1H' }, expectationId: 'exp-1' });
  const artifacts = [block.on({ artifactId: 'a' })];
  return { id: 'task-0', contextId: 'ctx-1', status: { state }, artifacts };
}

const fact = (observedAt = '2026-09-10T12:30:00Z'): object => ({
  ...{ messageId: 'm', role: 'ROLE_USER', parts: [] },
  metadata: { [EXTENSION_URI]: { facts: [{ factKey: 'manifest:PA-1', observedAt, source: 'anybody' }] } },
});

describe('an agent that keeps its own time', () => {
  it('says so on its card', async () => {
    const other = expectations({ ...definition, keepsTime: false }, clock);
    await expect(SelfTiming.open(other, { journal, lapseTasks: tasks, clock })).rejects.toThrow('keepsTime: true');
  });

  it('makes one new task of a lapse, right after the deadline, under its deterministic id', async () => {
    const timing = await start();
    await timing.see({ task: booked() });
    await clock.advance(3_600_000);
    expect(tasks.submitted).toEqual([]);
    await clock.advance(1);
    expect(tasks.submitted.map(({ message }) => message)).toMatchObject([
      {
        messageId: 'lapse:exp-1:overdue:2026-09-10T13:00:00Z',
        ...{ contextId: 'ctx-1', referenceTaskIds: ['task-0'] },
        metadata: { [EXTENSION_URI]: { lapse: { lapse: 'overdue', lapsedAt: '2026-09-10T13:00:00.001Z' } } },
      },
    ]);
    await clock.advance(86_400_000);
    expect(tasks.submitted).toHaveLength(1);
  });

  it('believes the facts of clients, by who they are', async () => {
    const timing = await start();
    await timing.see({ task: booked() });
    await clock.advance(1_800_000);
    expect(await timing.takeFacts(fact(), 'carrier')).toMatchObject([
      { type: 'factRecorded', reporter: 'carrier' },
      { type: 'expectationSatisfied', expectationId: 'exp-1', source: 'carrier' },
    ]);
    await clock.advance(86_400_000);
    expect(tasks.submitted).toEqual([]);
  });

  it('takes no fact of another year, nor anything but facts from a client', async () => {
    const timing = await start();
    await timing.see({ task: booked() });
    expect(await timing.takeFacts(fact('2025-09-10T12:00:00Z'), 'carrier')).toEqual([]);
    const withdrawal = { ...fact(), metadata: { [EXTENSION_URI]: { withdraw: ['exp-1'] } } };
    expect(await timing.takeFacts(withdrawal, 'carrier')).toEqual([]);
    await expect(timing.see({ task: {} })).rejects.toThrow(TypeError);
  });

  it('expects nothing any more of a task that was canceled', async () => {
    const timing = await start();
    await timing.see({ task: booked('TASK_STATE_WORKING') });
    await timing.see({ task: booked('TASK_STATE_CANCELED') });
    await clock.advance(86_400_000);
    expect(tasks.submitted).toEqual([]);
  });

  it('tries again what went wrong, once it has looked for it', async () => {
    tasks.faults.push(new Error('no route'), new Error('no route'));
    const timing = await start();
    await timing.see({ task: booked() });
    await clock.advance(3_600_001);
    expect([tasks.submitted.length, tasks.searchesCount]).toEqual([0, 0]);
    await clock.advance(1_000);
    expect([tasks.submitted.length, tasks.searchesCount]).toEqual([0, 1]);
    await clock.advance(2_000);
    expect([tasks.submitted.length, tasks.searchesCount]).toEqual([1, 2]);
  });
});

describe('after a restart', () => {
  it('nothing lapses twice, and what was due meanwhile lapses late', async () => {
    await (await start()).see({ task: booked() });
    await settle();
    await stop();
    await clock.advance(7_200_000);
    for (let restarts = 0; restarts < 3; restarts += 1) {
      await start();
      await settle();
      await stop();
    }
    expect(tasks.submitted.map(({ message }) => message.messageId)).toEqual([
      'lapse:exp-1:overdue:2026-09-10T13:00:00Z',
    ]);
  });

  it.each([
    ['is not made again where it is found', 'task-9', 1],
    ['is made again, under the same id, where it is not', undefined, 2],
  ])('a lapse task of which nobody knows %s', async (_, found, count) => {
    await (await start()).see({ task: booked() });
    await clock.advance(3_600_001);
    await stop();
    // The process ended before it knew.
    const known = journal.inputs.findIndex(({ type }) => type === 'dispatchAcknowledged');
    journal.inputs.splice(known, 1);
    tasks.found = found;
    await start();
    await settle();
    await stop();
    expect(tasks.searchesCount).toBe(1);
    expect(tasks.submitted).toHaveLength(count);
    expect(new Set(tasks.submitted.map(({ message }) => message.messageId)).size).toBe(1);
    expect(journal.inputs.at(-1)).toMatchObject({ type: 'dispatchAcknowledged' });
  });
});

describe('a journal in a file', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'duewatch-kit-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('is read as it was written, but for a line that was cut', async () => {
    const path = join(folder, 'journal');
    const first = await FileJournal.open(path);
    await (await start(first)).see({ task: booked() });
    await settle();
    await stop();
    await first.close();
    await appendFile(path, '01234567 {"inputs":[{"type":"fac');
    const second = await FileJournal.open(path);
    await start(second);
    await clock.advance(3_600_001);
    await tasks.first;
    expect(tasks.submitted).toHaveLength(1);
    await stop();
    await second.close();
    expect(await readFile(path, 'utf8')).not.toContain('"fac\n');
  });
});

describe('on the SDK', () => {
  it('sees its tasks, answers its lapses in tasks of their own, and takes facts from messages', async () => {
    const store = new InMemoryTaskStore();
    const timings: SelfTiming[] = [];
    const timing: Pick<SelfTiming, 'see' | 'takeFacts'> = {
      see: (seen) => timings[0]!.see(seen),
      takeFacts: (message, reporter) => timings[0]!.takeFacts(message, reporter),
    };
    const executor = desk.executor(
      (task, { messageId }) => {
        if (messageId === 'booking') task.expect('manifest', { subject: 'PA-1', due: { in: 'PT1H' } });
        return 'Done.';
      },
      (lapse, task) => {
        task.extend(lapse, { due: { in: 'PT1H' } });
        return 'More time.';
      },
    );
    const card = desk.declareOn(
      AgentCard.fromJSON({ name: 'Desk', capabilities: {}, skills: [{ id: 'handle_lapse' }] }),
    );
    const handler = new DefaultRequestHandler(
      card,
      timedStore(store, timing),
      timedExecutor(executor, timing, ({ context }) => context.user?.userName ?? 'carrier'),
    );
    timings.push(await start(journal, new OwnLapseTasks(handler)));
    const context = (): ServerCallContext =>
      new ServerCallContext({ requestedExtensions: [EXTENSION_URI], requestedVersion: '1.0' });
    const send = async (message: object): Promise<Task> => {
      const more = Message.fromJSON({ role: 'ROLE_USER', parts: [{ text: 'book' }], ...message });
      return (await handler.sendMessage(
        SendMessageRequest.fromJSON({ message: Message.toJSON(more) }),
        context(),
      )) as Task;
    };
    const origin = await send({ messageId: 'booking', contextId: 'ctx-1' });
    await clock.advance(3_600_001);
    const tasksOf = async (): Promise<readonly Task[]> =>
      (await store.list({ contextId: 'ctx-1', pageSize: 10, includeArtifacts: true } as never, context())).tasks;
    expect((await tasksOf()).map(({ history }) => history[0]?.messageId).toSorted()).toEqual([
      'booking',
      expect.stringMatching(/^lapse:exp-[0-9a-f]+:overdue:2026-09-10T13:00:00Z$/),
    ]);
    const again = await store.load(origin.id, context());
    expect(TaskState[again?.status?.state ?? 0]).toBe('TASK_STATE_COMPLETED');

    await send({ ...fact('2026-09-10T13:10:00Z'), messageId: 'fact', contextId: 'ctx-2' });
    await clock.advance(86_400_000);
    expect(await tasksOf()).toHaveLength(2);
  });
});
