import { FeedMetrics } from './feed-metrics.ts';

const feeds = new FeedMetrics();

async function values(): Promise<readonly (number | undefined)[]> {
  return (await feeds.collect()).map(({ samples }) => samples[0]?.value);
}

it('shows what all feeds have to report together, and the oldest of it, and names no topic', async () => {
  expect(await values()).toEqual([0, 0, 0]);
  feeds.set('duewatch.facts.acme', 0, { recordCount: 5, oldestMs: 2_000 });
  feeds.set('duewatch.facts.acme', 1, { recordCount: 1, oldestMs: 90_000 });
  feeds.set('duewatch.facts.globex', 0, { recordCount: 9, oldestMs: 500 });
  feeds.set('duewatch.facts.globex', 0, { recordCount: 0, oldestMs: 0 });
  expect(await values()).toEqual([3, 6, 90]);
  expect(JSON.stringify(await feeds.collect())).not.toMatch(/acme|globex/);
});

it('forgets a partition that another process reads by now', async () => {
  feeds.forget('duewatch.facts.acme', 1);
  expect(await values()).toEqual([2, 5, 2]);
});
