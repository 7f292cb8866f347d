// Processes of one application that do not all know the same work, as while it is rolled out.
import { Message, TaskState } from '@a2a-js/sdk';
import type { AgentHandler } from '#agent-handler';
import { PinoLogger, systemClock } from '#runtime';
import { until } from '#testing';
import { Runs } from '../run/runs.ts';
import { Shares } from '../run/shares.ts';
import { MemorySessionStore } from '../store/memory-session-store.ts';
import { MemoryTaskStore } from '../store/memory-task-store.ts';
import type { TaskKey } from '../store/task-store.ts';
import { stateOf } from '../task/task-state.ts';
import { MemoryWorkQueue } from './memory-work-queue.ts';
import { Worker } from './worker.ts';

class CountingQueue extends MemoryWorkQueue {
  passedOnCount = 0;

  override passOn(...given: Parameters<MemoryWorkQueue['passOn']>): Promise<boolean> {
    this.passedOnCount += 1;
    return super.passOn(...given);
  }
}

const handle = async (): Promise<undefined> => undefined;
const at = '2027-01-01T00:00:00.000Z';
const message = Message.fromJSON({ messageId: 'm', role: 'ROLE_USER', parts: [] });
const working = { type: 'statusChanged', at, state: TaskState.TASK_STATE_WORKING } as const;

let tasks: MemoryTaskStore;
let queue: CountingQueue;
let key: TaskKey;
let started: (() => Promise<void>)[];
let errors: string[];
let count = 0;
beforeEach(async () => {
  tasks = new MemoryTaskStore(systemClock);
  queue = new CountingQueue(systemClock);
  started = [];
  errors = [];
  key = { application: 'app', user: 'alice', taskId: `task-${(count += 1)}` };
  await tasks.create({ key, contextId: 'c', events: [{ type: 'submitted', at, message }, working] });
});
afterEach(() => Promise.all(started.map((close) => close())));

function start(handler: AgentHandler, mostClaims: number): void {
  const owner = `process ${started.length}`;
  const log = Object.assign(new PinoLogger('fatal'), { error: (said: string) => void errors.push(said) });
  const shared = { application: 'app', handler, tasks, clock: systemClock, newId: () => `id-${(count += 1)}`, log };
  const runs = new Runs({
    ...{ ...shared, agentName: 'app', owner, leaseMs: 600_000, sessions: new MemorySessionStore(), work: queue },
    ...{ readInput: () => ({ data: undefined }), turns: new Shares({ userCount: 10, allCount: 10 }) },
  });
  const lease = { owner, leaseMs: 600_000 };
  const worker = new Worker({ ...shared, runs, queue, lease, passing: { forMs: 1, pauseMs: 300, mostClaims } });
  worker.start();
  started.push(async () => {
    await worker.close();
    await runs.close();
  });
}

const ship = () =>
  queue.enqueue(key, { name: 'ship', payload: null, state: { state: null, extensions: [] }, askedBy: 'process 0' });
const isNow = async (state: TaskState): Promise<boolean> => stateOf((await tasks.read(key))!.task) === state;
const { TASK_STATE_COMPLETED: completed, TASK_STATE_FAILED: failed } = TaskState;

it('work that a process does not know is done by one that does', async () => {
  await ship();
  start({ handle, resume: handle }, Infinity);
  await until(() => queue.passedOnCount > 0, 'the process that does not know it');
  let doneCount = 0;
  start({ handle, resume: handle, work: { ship: { perform: async () => (doneCount += 1) } } }, Infinity);
  await until(() => isNow(completed), 'the end of the task');
  expect([doneCount, errors]).toEqual([1, []]);
});

it('what is done goes on at a process that can go on after it', async () => {
  await ship();
  await queue.finish((await queue.claim('app', { owner: 'gone', leaseMs: 0 }))!, 'shipped');
  start({ handle }, Infinity);
  await until(() => queue.passedOnCount > 0, 'the process that does not');
  const results: unknown[] = [];
  start({ handle, resume: async (_, { result }) => void results.push(result) }, Infinity);
  await until(() => isNow(completed), 'the end of the task');
  expect([results, errors]).toEqual([['shipped'], []]);
});

it('what nobody knows fails its task in the end, and the log says so', async () => {
  await ship();
  start({ handle }, 3);
  await until(() => isNow(failed), 'the end of the task');
  expect(errors).toEqual(['no process of the application knows the work ship: it has been claimed 3 times']);
  expect(await queue.claim('app', { owner: 'another', leaseMs: 1 })).toBeUndefined();
});

it('work of a task that another has ended is not done, and nothing is left of it', async () => {
  await ship();
  await tasks.append(key, {}, [{ type: 'statusChanged', at, state: TaskState.TASK_STATE_CANCELED }]);
  let doneCount = 0;
  start({ handle, resume: handle, work: { ship: { perform: async () => (doneCount += 1) } } }, Infinity);
  await until(async () => (await queue.claim('app', { owner: 'another', leaseMs: 1 })) === undefined, 'its end');
  await until(async () => (await queue.void(key)) === 'gone', 'nothing');
  expect(doneCount).toBe(0);
});

describe('who wakes after its work was given to another', () => {
  /** The other has removed the work, and more, by the time that this one does. */
  async function wakeLate(meanwhile: () => Promise<unknown>): Promise<readonly unknown[]> {
    await ship();
    await queue.finish((await queue.claim('app', { owner: 'gone', leaseMs: 0 }))!, 'shipped');
    const resumed: unknown[] = [];
    let isLost = false;
    queue.remove = async () => {
      await queue.void(key);
      await meanwhile();
      isLost = true;
      return false;
    };
    start({ handle, resume: async (_, { result }) => void resumed.push(result) }, Infinity);
    await until(async () => isLost && (await tasks.read(key))?.run === 'none', 'the end');
    return resumed;
  }

  it('resumes nothing, and lets go of the task', async () => {
    expect(await wakeLate(async () => undefined)).toEqual([]);
    expect(await isNow(TaskState.TASK_STATE_WORKING)).toBe(true);
  });

  it('ends the task where a message has come to it meanwhile, which nobody would answer', async () => {
    const asked = { type: 'statusChanged', at, state: TaskState.TASK_STATE_INPUT_REQUIRED } as const;
    expect(await wakeLate(() => tasks.append(key, {}, [asked, { type: 'messageReceived', at, message }]))).toEqual([]);
    expect(await isNow(failed)).toBe(true);
  });
});
