// What a process lets go of by itself.
import { PinoLogger } from '#runtime';
import { ManualClock } from '#testing';
import { Retention } from './retention.ts';

/** A store with so much that is old. */
class OldStore {
  readonly asked: unknown[][] = [];

  constructor(
    private count: number,
    private faultsCount = 0,
  ) {}

  async letGo(...given: [string, number, number]): Promise<number> {
    this.asked.push(given);
    if ((this.faultsCount -= 1) >= 0) throw new Error('away');
    const taken = Math.min(this.count, given[2]);
    this.count -= taken;
    return taken;
  }
}

const keeping = { tasksMs: 7, sessionsMs: 8 };

function given(tasks: OldStore, sessions: OldStore) {
  const clock = new ManualClock(0);
  const log = new PinoLogger('fatal');
  return { clock, retention: new Retention({ application: 'app', tasks, sessions, keeping, clock, log }) };
}

it('tasks and sessions go, a bounded number at a time, until there are no more', async () => {
  const [tasks, sessions] = [new OldStore(250), new OldStore(100)];
  const { clock, retention } = given(tasks, sessions);
  retention.start();
  await clock.settle();
  await retention.close();
  expect(tasks.asked).toEqual(Array(3).fill(['app', 7, 100]));
  expect(sessions.asked).toEqual(Array(2).fill(['app', 8, 100]));
});

it('what fails is done the next time', async () => {
  const [tasks, sessions] = [new OldStore(1, 1), new OldStore(0)];
  const { clock, retention } = given(tasks, sessions);
  retention.start();
  await clock.settle();
  expect([tasks.asked.length, sessions.asked.length]).toEqual([1, 0]);
  await clock.advance(600_000);
  expect([tasks.asked.length, sessions.asked.length]).toEqual([2, 1]);
  await retention.close();
});
