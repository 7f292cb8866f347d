import { systemClock } from '#runtime';
import { FeedMetrics } from './feed-metrics.ts';

const now = 1_000_000;
const feeds = new FeedMetrics({ ...systemClock, now: () => now });

async function values(): Promise<readonly (number | undefined)[]> {
  return (await feeds.collect()).map(({ samples }) => samples[0]?.value);
}

it('shows what all feeds have to report together, and the oldest of it, and names no topic', async () => {
  expect(await values()).toEqual([0, 0, 0, 0, 0]);
  feeds.set('duewatch.facts.acme', 0, { recordCount: 5, oldestAt: now - 2_000 });
  feeds.set('duewatch.facts.acme', 1, { recordCount: 1, oldestAt: now - 90_000 });
  feeds.set('duewatch.facts.globex', 0, { recordCount: 9, oldestAt: now - 500 });
  feeds.set('duewatch.facts.globex', 0, { recordCount: 0 });
  expect(await values()).toEqual([3, 6, 90, 0, 0]);
  expect(JSON.stringify(await feeds.collect())).not.toMatch(/acme|globex/);
});

it('forgets a partition that another process reads by now', async () => {
  feeds.forget('duewatch.facts.acme', 1);
  expect(await values()).toEqual([2, 5, 2, 0, 0]);
});

it('counts what was parked, and shows how many topics wait for their tenant', async () => {
  feeds.parked(2);
  feeds.parked(1);
  feeds.waiting(4);
  feeds.waiting(1);
  expect((await values()).slice(3)).toEqual([3, 1]);
});
