// Who is slow to take what it is told, and who is told meanwhile.
import { TaskState } from '@a2a-js/sdk';
import { PinoLogger, SealBrokenError, systemClock } from '#runtime';
import { until } from '#testing';
import type { TaskEvent } from '../task/task-event.ts';
import { Pusher, type PusherOptions } from './pusher.ts';
import type { DuePush } from './push-store.ts';

interface Waiting {
  readonly user: string;
  readonly url: string;
  toldVersion: number;
  isClaimed: boolean;
  /** Its place in the order in which they are claimed. */
  next: number;
}

const event: TaskEvent = { type: 'statusChanged', at: '2027-01-01T00:00:00Z', state: TaskState.TASK_STATE_WORKING };

/** Of each config, what was told of its `eventsCount` events; slow receivers answer once they are let. */
class PushStory {
  readonly waiting: Waiting[] = [];
  readonly calls: string[] = [];
  eventsCount = 1;
  /** Until then this process's key opens none; how often it was to wait, by which delay. */
  isSealBroken = false;
  readonly delays: (number | undefined)[] = [];
  private letSlow: () => void = () => undefined;
  private readonly slow = new Promise<void>((resolve) => (this.letSlow = resolve));
  private place = 0;
  private readonly pusher: Pusher;

  constructor() {
    const find = ({ configId }: Pick<DuePush, 'configId'>): Waiting => this.waiting[Number(configId)]!;
    const store: PusherOptions['store'] = {
      claim: async (application, _, busyUsers) => {
        const [found] = this.waiting
          .filter((each) => !each.isClaimed && each.toldVersion < this.eventsCount && !busyUsers.includes(each.user))
          .sort((a, b) => a.next - b.next);
        if (found === undefined) return undefined;
        found.isClaimed = true;
        const index = this.waiting.indexOf(found);
        const key = { application, user: found.user, taskId: String(index) };
        const of = { key, contextId: 'c', configId: String(index), sealed: Buffer.of() };
        return { ...of, toldVersion: found.toldVersion, failuresCount: 0 };
      },
      open: (push) => {
        if (this.isSealBroken) throw new SealBrokenError('broken');
        return { ...{ tenant: '', id: '', taskId: '', url: find(push).url, token: '', authentication: undefined } };
      },
      told: async (push, version, forMs) => {
        find(push).toldVersion = version;
        find(push).isClaimed = forMs > 0;
        find(push).next = this.place += 1;
      },
      failed: async (push, delayMs) => {
        this.delays.push(delayMs);
        this.isSealBroken = false;
        find(push).isClaimed = false;
      },
    };
    this.pusher = new Pusher({
      ...{ application: 'app', store, clock: systemClock, log: new PinoLogger('fatal'), random: { fraction: () => 0 } },
      tasks: {
        eventsAfter: async (_, version, most = Infinity) =>
          Array.from({ length: Math.min(most, this.eventsCount - version) }, () => event),
      },
      calls: {
        fetch: async (input) => {
          const url = typeof input === 'string' ? input : '';
          this.calls.push(url);
          if (url.includes('slow')) await this.slow;
          return new Response(null, { status: 200 });
        },
      },
    });
  }

  ask(user: string, url: string, count = 1): void {
    for (let nth = 0; nth < count; nth += 1) {
      this.waiting.push({ user, url, toldVersion: 0, isClaimed: false, next: (this.place += 1) });
    }
  }

  start(): void {
    this.pusher.start();
  }

  callsTo(url: string): number {
    return this.calls.filter((each) => each === url).length;
  }

  async end(): Promise<void> {
    this.letSlow();
    await this.pusher.close();
  }
}

it('whom one user has told that is slow delays nobody whom another has', async () => {
  const story = new PushStory();
  story.ask('mallory', 'http://slow/', 100);
  story.start();
  await until(() => story.callsTo('http://slow/') > 0, 'the slow ones');
  story.ask('alice', 'http://good/', 3);
  await until(() => story.callsTo('http://good/') === 3, 'the others');
  expect(story.callsTo('http://slow/')).toBe(8);
  await story.end();
});

it('tasks that say much take turns with others of their user', async () => {
  const story = new PushStory();
  story.eventsCount = 200;
  story.ask('alice', 'http://chatty/', 8);
  story.ask('alice', 'http://last/');
  story.start();
  await until(() => story.callsTo('http://last/') === 200, 'the last');
  expect(story.calls.indexOf('http://last/')).toBeLessThan(8 * 200);
  expect(story.calls.slice(0, 8 * 40)).toContain('http://last/');
  await story.end();
});

it('what this process has no key for is not given up: another may have it', async () => {
  const story = new PushStory();
  story.isSealBroken = true;
  story.ask('alice', 'http://good/');
  story.start();
  await until(() => story.callsTo('http://good/') === 1, 'the push');
  expect(story.delays).toEqual([expect.any(Number)]);
  await story.end();
});
