import { Logger } from '@nestjs/common';
import { ManualClock, parsePrometheusText, sampleValue } from '#testing';
import { HttpMetrics } from './http-metrics.ts';
import type { MetricFamily, MetricSource } from './metric-source.ts';
import { MetricsText } from './metrics-text.ts';

Logger.overrideLogger(false);

describe('a source that does not answer', () => {
  const clock = new ManualClock(0);
  let askedCount = 0;
  let answer: (families: readonly MetricFamily[]) => void = () => undefined;
  const mute: MetricSource = {
    name: 'mute',
    collect: () => {
      askedCount += 1;
      return new Promise((resolve) => (answer = resolve));
    },
  };
  const family: MetricFamily = { name: 'duewatch_mute', help: 'Late', type: 'gauge', samples: [{ value: 3 }] };
  const text = new MetricsText([mute], clock, new HttpMetrics({} as never));

  async function read() {
    const reading = text.read();
    await clock.advance(3_000);
    return parsePrometheusText(await reading);
  }

  it('is left out after a while, and is not asked again before it has answered', async () => {
    const [first, second] = [read(), text.read()];
    const samples = await first;
    await second;
    expect(sampleValue(samples, 'duewatch_metrics_unavailable', { source: 'mute' })).toBe(1);
    await read();
    expect(askedCount).toBe(1);
    answer([family]);
    await clock.settle();
    const reading = text.read();
    await clock.settle();
    answer([family]);
    expect(sampleValue(parsePrometheusText(await reading), 'duewatch_mute')).toBe(3);
    expect(askedCount).toBe(2);
    expect(clock.sleeperCount).toBe(0);
  });
});
