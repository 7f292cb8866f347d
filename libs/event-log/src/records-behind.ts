// How far those who follow a topic are behind it.
import type { MetricSample } from '#runtime';
import type { EventLog, Topic } from './port.ts';

/** Of each partition the records that lie past `nextOffset`, markers counted. Throws what the log throws. */
export function recordsBehind(
  log: EventLog,
  topic: Topic,
  followed: readonly { readonly partition: number; readonly nextOffset: number }[],
): Promise<MetricSample[]> {
  return Promise.all(
    followed.map(async ({ partition, nextOffset }) => {
      const { end } = await log.bounds(topic, partition);
      return { labels: { partition }, value: Math.max(0, end - nextOffset) };
    }),
  );
}
