// A submission that is under way when another dispatcher takes the partition over: it may leave for its agent yet, and
// nothing that is found before says anything. On a virtual clock.
import type { AgentMessenger, FindOutcome, SendOutcome } from '#protocol';
import { DispatchRig, ManualClock, until } from '#testing';
import { Dispatcher } from './dispatcher.ts';
import { openDispatchDatabase } from './outbox/dispatch-database.ts';

const timeoutMs = 30_000;
let clock: ManualClock;
/** When each look was, by the clock. */
let looksAtMs: number[];
let tasks: string[];

/** Its sends are under way until they are let go. */
class SlowWay implements AgentMessenger {
  readonly timeoutMs = timeoutMs;
  begunCount = 0;
  letGo: () => void = () => undefined;
  private readonly going = new Promise<void>((resolve) => (this.letGo = resolve));

  send: AgentMessenger['send'] = async (): Promise<SendOutcome> => {
    this.begunCount += 1;
    await this.going;
    tasks.push(`task ${tasks.length + 1}`);
    return { outcome: 'acknowledged', taskId: tasks.at(-1)! };
  };

  find: AgentMessenger['find'] = async (): Promise<FindOutcome> => {
    looksAtMs.push(clock.now());
    const [taskId] = tasks;
    return taskId === undefined ? { outcome: 'absent' } : { outcome: 'found', taskId };
  };
}

const rig = new DispatchRig<AgentMessenger>(openDispatchDatabase, ({ story, database, targets }, messenger) => {
  const directory = { find: async (_: string, agentId: string) => targets.get(agentId) };
  const random = { fraction: () => 0.5 };
  return new Dispatcher(story.log, database, directory, messenger, clock, random, undefined, { stopGraceMs: 0 });
});

beforeAll(() => rig.open());
afterAll(() => rig.close());
beforeEach(() => {
  clock = new ManualClock(Date.parse('2026-09-01T00:00:00Z'));
  looksAtMs = [];
  tasks = [];
  return rig.begin();
});
afterEach(() => rig.end());

/** Another has the partition, while the first is sending. */
async function takenOver(): Promise<{ readonly first: SlowWay; readonly takenAtMs: number; readonly second: SlowWay }> {
  const [first, second] = [new SlowWay(), new SlowWay()];
  rig.start(first);
  await rig.story.raise('booking', 'e1');
  await until(() => first.begunCount === 1, 'a submission under way');
  const takenAtMs = clock.now();
  rig.start(second);
  await rig.untilState('unknown');
  return { first, takenAtMs, second };
}

function passUntil(condition: () => boolean | Promise<boolean>): Promise<void> {
  return until(async () => {
    await clock.advance(1_000);
    return condition();
  });
}

it('is looked for once it has ended, and not sent again where it came', async () => {
  const { first, takenAtMs } = await takenOver();
  await clock.advance(timeoutMs - 1);
  first.letGo();
  await passUntil(async () => (await rig.story.decided('dispatchAcknowledged')).length > 0);
  expect(Math.min(...looksAtMs) - takenAtMs).toBeGreaterThan(timeoutMs);
  await expect(rig.story.decided('dispatchAttempted')).resolves.toMatchObject([{ attempt: 1 }]);
  expect(tasks).toEqual(['task 1']);
});

it('is sent again where it did not come, and the record says that it may be there twice', async () => {
  const { first, second } = await takenOver();
  second.letGo();
  await passUntil(async () => (await rig.story.decided('dispatchAcknowledged')).length > 0);
  first.letGo();
  await expect(rig.story.decided('dispatchAttempted')).resolves.toMatchObject([
    { attempt: 1 },
    { attempt: 2, possibleDuplicate: true },
  ]);
});
