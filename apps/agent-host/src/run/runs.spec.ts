// What becomes of tasks when their store is away for a moment, in the middle of a turn.
import { Message, TaskState } from '@a2a-js/sdk';
import { PinoLogger, StorageUnavailableError, systemClock } from '#runtime';
import { until } from '#testing';
import { MemorySessionStore } from '../store/memory-session-store.ts';
import { MemoryTaskStore } from '../store/memory-task-store.ts';
import { stateOf } from '../task/task-state.ts';
import { Runs } from './runs.ts';

class FallibleTaskStore extends MemoryTaskStore {
  isAway = false;

  override append(...given: Parameters<MemoryTaskStore['append']>): ReturnType<MemoryTaskStore['append']> {
    if (this.isAway) return Promise.reject(new StorageUnavailableError('away', { cause: undefined }));
    return super.append(...given);
  }
}

const tasks = new FallibleTaskStore(systemClock);
let isOpen = false;
let count = 0;
const runs = new Runs({
  ...{ application: 'app', agentName: 'app', owner: 'this process', leaseMs: 150, tasks, clock: systemClock },
  ...{ sessions: new MemorySessionStore(), newId: () => `id-${++count}`, log: new PinoLogger('fatal') },
  readInput: () => ({ data: undefined }),
  handler: {
    handle: async (turn) => {
      await until(() => (turn.message.text === 'long' ? isOpen : tasks.isAway), 'the turn');
    },
  },
});
const begin = (text: string) =>
  runs.begin(
    {
      ...{ user: { name: 'alice', isAuthenticated: true }, data: undefined, reminders: [] },
      ...{ extensions: [], interaction: 'immediate' },
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
