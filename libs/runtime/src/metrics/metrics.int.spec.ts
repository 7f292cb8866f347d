import { Controller, Get, Module, Param } from '@nestjs/common';
import { type EdgeApp, parsePrometheusText, type PrometheusSample, sampleValue, startEdgeApp } from '#testing';
import { HealthModule } from '../health/health.module.ts';
import { ReadinessMetrics } from '../health/readiness-metrics.ts';
import { Public } from '../public.ts';
import type { MetricSource } from './metric-source.ts';
import { MetricsModule } from './metrics.module.ts';

let isBroken = false;
const shaky: MetricSource = {
  name: 'shaky',
  collect: async () => {
    if (isBroken) throw new Error('the database is away');
    const samples = [{ labels: { partition: 0, note: 'a "quoted"\nline' }, value: 1.5 }];
    return [{ name: 'duewatch_shaky', help: 'Now and then', type: 'gauge', samples }];
  },
};
const steady: MetricSource = {
  name: 'steady',
  collect: async () => [
    { name: 'duewatch_steady_total', help: 'Always', type: 'counter', samples: [{ value: 7 }] },
    { name: 'duewatch_unknown', help: 'Not known', type: 'gauge', samples: [] },
  ],
};

@Controller('things')
@Public()
class ThingsController {
  @Get(':id/parts/:part')
  part(@Param('id') id: string): unknown {
    return { id };
  }
}

const health = HealthModule.register({
  useFactory: () => [
    { name: 'there', check: () => Promise.resolve() },
    { name: 'gone', check: () => Promise.reject(new Error('gone')) },
  ],
});

@Module({
  imports: [
    health,
    MetricsModule.register({
      imports: [health],
      inject: [ReadinessMetrics],
      useFactory: (readiness: ReadinessMetrics) => [readiness, shaky, steady],
    }),
  ],
  controllers: [ThingsController],
})
class ExampleModule {}

describe('metrics over HTTP', () => {
  let edge: EdgeApp;
  beforeAll(async () => {
    edge = await startEdgeApp([ExampleModule]);
  });
  afterAll(() => edge.close());
  beforeEach(() => {
    isBroken = false;
  });

  async function scrape(): Promise<readonly PrometheusSample[]> {
    const response = await fetch(`${edge.url}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    return parsePrometheusText(await response.text());
  }

  it('are answered without a key, in the text format, with the process’s own', async () => {
    const samples = await scrape();
    expect(sampleValue(samples, 'duewatch_shaky', { partition: '0' })).toBe(1.5);
    expect(sampleValue(samples, 'duewatch_steady_total')).toBe(7);
    expect(sampleValue(samples, 'duewatch_ready', { check: 'there' })).toBe(1);
    expect(sampleValue(samples, 'duewatch_ready', { check: 'gone' })).toBe(0);
    expect(sampleValue(samples, 'nodejs_eventloop_lag_p99_seconds')).toEqual(expect.any(Number));
    expect(sampleValue(samples, 'process_resident_memory_bytes')).toBeGreaterThan(0);
    expect(samples.filter(({ name }) => name === 'duewatch_unknown')).toEqual([]);
  });

  it('are answered without those of a source that fails, and say which it is, until it is back', async () => {
    isBroken = true;
    const broken = await scrape();
    expect(sampleValue(broken, 'duewatch_shaky')).toBeUndefined();
    expect(sampleValue(broken, 'duewatch_steady_total')).toBe(7);
    expect(sampleValue(broken, 'duewatch_metrics_unavailable', { source: 'shaky' })).toBe(1);
    expect(sampleValue(broken, 'duewatch_metrics_unavailable', { source: 'steady' })).toBe(0);
    isBroken = false;
    const back = await scrape();
    expect(sampleValue(back, 'duewatch_shaky')).toBe(1.5);
    expect(sampleValue(back, 'duewatch_metrics_unavailable', { source: 'shaky' })).toBe(0);
  });

  it('count requests by the pattern of their route, whatever address and method was sent', async () => {
    for (let index = 0; index < 20; index += 1) {
      await edge.call('GET', `/things/acme-${index}/parts/${index}?tenant=${index}`);
      await edge.call('GET', `/nowhere/acme-${index}`);
      await edge.call('PROPFIND', `/v1/keys/acme-${index}`);
    }
    await edge.call('GET', '/v1/keys');
    const samples = await scrape();
    const counted = samples
      .filter(({ name, labels }) => /_request_duration_seconds_count$/.test(name) && labels['route'] !== '/metrics')
      .map(({ labels, value }) => ({ ...labels, value }));
    expect(counted).toEqual([
      { method: 'GET', route: '/things/:id/parts/:part', status: '200', value: 20 },
      { method: 'GET', route: 'none', status: '404', value: 20 },
      { method: 'other', route: 'none', status: '404', value: 20 },
      { method: 'GET', route: '/v1/keys', status: '401', value: 1 },
    ]);
    expect(sampleValue(samples, 'duewatch_http_requests_in_progress')).toBe(1);
    expect(JSON.stringify(samples)).not.toContain('acme');
  });
});
