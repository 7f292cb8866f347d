// What becomes of tasks when their store is away for a moment, in the middle of a turn.
import { Message, TaskState } from '@a2a-js/sdk';
import { PinoLogger, StorageUnavailableError, systemClock } from '#runtime';
import { until } from '#testing';
import { MemorySessionStore } from '../store/memory-session-store.ts';
import { MemoryTaskStore } from '../store/memory-task-store.ts';
import { stateOf } from '../task/task-state.ts';
import { Runs } from './runs.ts';
import { Shares } from './shares.ts';

class FallibleTaskStore extends MemoryTaskStore {
  isAway = false;
  looksCount = 0;

  override append(...given: Parameters<MemoryTaskStore['append']>): ReturnType<MemoryTaskStore['append']> {
    if (this.isAway) return Promise.reject(new StorageUnavailableError('away', { cause: undefined }));
    return super.append(...given);
  }

  override async renew(...given: Parameters<MemoryTaskStore['renew']>): ReturnType<MemoryTaskStore['renew']> {
    if (this.isAway) throw new StorageUnavailableError('away', { cause: undefined });
    this.looksCount += 1;
    return super.renew(...given);
  }
}

const tasks = new FallibleTaskStore(systemClock);
let isOpen = false;
let count = 0;
const turns = new Shares({ userCount: 10, allCount: 10 });
const runsOf = (leaseMs: number): Runs =>
  new Runs({
    ...{ application: 'app', agentName: 'app', owner: 'this process', leaseMs, tasks, clock: systemClock },
    ...{ sessions: new MemorySessionStore(), newId: () => `id-${++count}`, log: new PinoLogger('fatal') },
    ...{ readInput: () => ({ data: undefined }), turns },
    handler: {
      handle: async (turn) => {
        await until(() => (turn.message.text === 'long' ? isOpen : tasks.isAway), 'the turn');
      },
    },
  });
const runs = runsOf(150);
const begin = (text: string) =>
  runs.begin(
    {
      ...{ user: { name: 'alice', isAuthenticated: true }, data: undefined, reminders: [] },
      ...{ extensions: [], interaction: 'immediate', share: turns.hold('user alice') },
      message: Message.fromJSON({ messageId: text, role: 'ROLE_USER', parts: [{ text }] }),
    },
    'context',
  );

it('a task whose end could not be written is ended once its store is back, beside what its process runs', async () => {
  runs.keep();
  const long = begin('long');
  await long.tracked;
  const short = begin('short');
  await short.tracked;
  tasks.isAway = true;
  await short.done;
  tasks.isAway = false;
  const stateNow = async (run: typeof long) => stateOf((await tasks.read(run.key))!.task);
  await until(async () => (await stateNow(short)) === TaskState.TASK_STATE_FAILED, 'the end of the task');
  expect(await stateNow(long)).toBe(TaskState.TASK_STATE_WORKING);
  isOpen = true;
  await runs.close();
});

it('what another process runs is not ended before that could say so again, once the store is back', async () => {
  const key = { application: 'app', user: 'alice', taskId: 'another process runs it' };
  const message = Message.fromJSON({ messageId: 'm', role: 'ROLE_USER' });
  const events = [{ type: 'submitted', at: '2027-01-01T00:00:00Z', message }] as const;
  await tasks.create({ key, contextId: 'context', events, lease: { owner: 'another', leaseMs: 1 } });
  await until(async () => (await tasks.read(key))?.run === 'abandoned', 'the end of its lease');
  tasks.isAway = true;
  const others = runsOf(600_000);
  others.keep();
  tasks.isAway = false;
  const before = tasks.looksCount;
  await until(() => tasks.looksCount > before, 'a look');
  expect(await tasks.renew('app', { owner: 'another', leaseMs: 600_000 }, [key])).toHaveLength(1);
  await others.close();
});
