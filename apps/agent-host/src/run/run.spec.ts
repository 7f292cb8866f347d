// What becomes of a turn whose handler gives what is none, or whose task another run has taken over.
import { Message, TaskState } from '@a2a-js/sdk';
import type { AgentHandler, Outcome, TurnAnswer } from '#agent-handler';
import { PinoLogger, systemClock } from '#runtime';
import { until } from '#testing';
import { MemorySessionStore } from '../store/memory-session-store.ts';
import { MemoryTaskStore } from '../store/memory-task-store.ts';
import { stateOf } from '../task/task-state.ts';
import type { HostTurn } from './host-turn.ts';
import { MemoryWorkQueue } from '../work/memory-work-queue.ts';
import { type Call, Runs } from './runs.ts';
import { Shares } from './shares.ts';
import { hashToken } from './turn-wait.ts';

class HeardLogger extends PinoLogger {
  readonly errors: string[] = [];

  constructor() {
    super('fatal');
  }

  override error(message: string): void {
    this.errors.push(message);
  }
}

/** One process's turns, each of which does what its message names. */
class Story {
  readonly tasks = new MemoryTaskStore(systemClock);
  readonly log = new HeardLogger();
  readonly work = new MemoryWorkQueue(systemClock);
  private readonly turns = new Shares({ userCount: 10, allCount: 10 });
  readonly runs: Runs;
  private count = 0;

  constructor(turns: Readonly<Record<string, (turn: HostTurn) => unknown>>, resume?: AgentHandler['resume']) {
    this.runs = new Runs({
      ...{ application: 'app', agentName: 'app', owner: 'this process', leaseMs: 150, tasks: this.tasks },
      ...{ sessions: new MemorySessionStore(), newId: () => `id-${++this.count}`, log: this.log, clock: systemClock },
      readInput: ({ messageId }) => ({ data: { of: messageId } }),
      ...{ turns: this.turns, work: this.work, waitsUrl: 'https://a.example/waits' },
      handler: {
        handle: (turn) => turns[turn.message.text]?.(turn as HostTurn) as TurnAnswer,
        ...(resume && { resume }),
      },
    });
  }

  call(text: string): Call {
    return {
      ...{ user: { name: 'alice', isAuthenticated: true }, data: undefined, reminders: [] },
      ...{ extensions: [], interaction: 'immediate', share: this.turns.hold('user alice') },
      message: Message.fromJSON({ messageId: text, role: 'ROLE_USER', parts: [{ text }] }),
    };
  }

  async begin(text: string) {
    const run = this.runs.begin(this.call(text), 'context');
    await run.tracked;
    return run;
  }

  async stateOf({ key }: { key: Parameters<MemoryTaskStore['read']>[0] }): Promise<TaskState> {
    return stateOf((await this.tasks.read(key))!.task);
  }
}

it('a turn that its task takes nothing of any more is told to end, and not the one that has followed it', async () => {
  let isTaken = false;
  const turns: HostTurn[] = [];
  const story = new Story({
    first: async (turn) => {
      turns.push(turn);
      await until(() => isTaken, 'the other');
      await turn.say('late');
    },
    second: async (turn) => {
      turns.push(turn);
      await until(() => !isTaken || turn.signal.aborted, 'the end');
    },
  });
  const first = await story.begin('first');
  await story.tasks.renew('app', { owner: 'this process', leaseMs: 0 }, [first.key]);
  const epoch = await story.tasks.takeOver(first.key, { owner: 'this process', leaseMs: 600_000 });
  const stored = await story.tasks.read(first.key);
  const second = story.runs.goOn(story.call('second'), stored!, first.key, epoch!);
  await until(() => turns.length === 2, 'both');
  isTaken = true;
  await first.done;
  expect(turns.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  isTaken = false;
  await second.done;
  expect(await story.stateOf(first)).toBe(TaskState.TASK_STATE_COMPLETED);
});

describe('a task fails, and the log says why, where its handler', () => {
  it.each<[string, (turn: HostTurn) => unknown, string]>([
    ['returns an outcome that there is not', async () => ({ outcome: 'foo' }), "returned { outcome: 'foo' }"],
    ['returns what is no outcome', () => 'done', "returned 'done'"],
    ['says what is no content', async (turn) => turn.say(5 as never), 'what is said must be a text or a part'],
    ['does not wait to hear so', (turn) => void turn.say(5 as never), 'what is said must be'],
    ['has no artifact', async (turn) => turn.artifact({ parts: [] } as never), 'artifact.artifactId must be a text'],
    ['asks nothing', async (turn) => turn.ask(undefined as never), 'the question must be a text or a part'],
    [
      'lets go of what is wrong with it',
      async (turn) => turn.ask('a?', { extensions: 'b' } as never),
      'the question.extensions must be a list',
    ],
    [
      'ends another task as it cannot',
      async (turn) => turn.endTask('t', 'done' as never, 'x'),
      'as canceled or failed',
    ],
    ['keeps no JSON', async (turn) => turn.session.write(new Map() as never), 'the session is a Map'],
  ])('%s', async (_, handle, told) => {
    const story = new Story({ wrong: handle });
    const run = await story.begin('wrong');
    await run.done;
    expect(await story.stateOf(run)).toBe(TaskState.TASK_STATE_FAILED);
    expect(story.log.errors).toEqual([expect.stringContaining(told)]);
  });
});

it('a handler that goes on talking after its end, or its cancellation, harms nobody', async () => {
  const late: Promise<unknown>[] = [];
  const goOn = (turn: HostTurn): void => {
    turn.signal.addEventListener('abort', () => late.push(turn.say('late')));
  };
  const story = new Story({
    ends: async (turn) => {
      goOn(turn);
      setImmediate(() => late.push(turn.say('later')));
    },
    runs: async (turn) => {
      goOn(turn);
      await until(() => turn.signal.aborted, 'the cancellation');
    },
  });
  const [ended, canceled] = [await story.begin('ends'), await story.begin('runs')];
  await ended.done;
  canceled.abort('canceled');
  await canceled.done;
  await until(() => late.length === 2, 'what is said late');
  expect((await Promise.allSettled(late)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect([await story.stateOf(ended), await story.stateOf(canceled)]).toEqual([
    TaskState.TASK_STATE_COMPLETED,
    TaskState.TASK_STATE_CANCELED,
  ]);
});

it('a turn that goes on after work has the data that its task began with, and what its caller has activated', async () => {
  const seen: unknown[] = [];
  const story = new Story({}, async (turn) => void seen.push(turn.message.data, turn.extensions));
  const key = { application: 'app', user: 'alice', taskId: 'task-1' };
  const { message } = story.call('of data');
  const at = '2027-01-01T00:00:00Z';
  const lease = { owner: 'this process', leaseMs: 600_000 };
  await story.tasks.create({ key, contextId: 'context', events: [{ type: 'submitted', at, message }], lease });
  const stored = await story.tasks.read(key);
  const work = { name: 'ship', result: null, askedBy: 'this process', isLate: false };
  const state = { state: 'kept', extensions: ['https://e.example'] };
  await story.runs.resume({ ...work, state }, stored!, key, 1).done;
  expect(seen).toEqual([{ of: 'of data' }, ['https://e.example']]);
});

it('a wait that a turn opens once another has ended its task is over, too', async () => {
  let isEnded = false;
  let token = '';
  const waits = async (turn: HostTurn): Promise<Outcome> => {
    await until(() => isEnded, 'the end');
    const wait = await turn.externalWait('payment');
    ({ token } = wait);
    return { outcome: 'waiting', wait };
  };
  const story = new Story({ waits }, async () => undefined);
  const run = await story.begin('waits');
  const at = '2027-01-01T00:00:00Z';
  await story.tasks.append(run.key, {}, [{ type: 'statusChanged', at, state: TaskState.TASK_STATE_CANCELED }]);
  isEnded = true;
  await run.done;
  expect(await story.work.endWait('app', hashToken(token), 'paid')).toBe('over');
});
