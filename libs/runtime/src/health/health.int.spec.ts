import { Module } from '@nestjs/common';
import { EVENT_LOG } from '../tokens.ts';
import { HealthModule } from './health.module.ts';
import { type EdgeApp, startEdgeApp } from '#testing';

@Module({
  imports: [
    HealthModule.register({
      inject: [EVENT_LOG],
      useFactory: (log: { now(): Promise<number> }) => [{ name: 'log', check: () => log.now() }],
    }),
  ],
})
class ExampleModule {}

describe('health over HTTP', () => {
  let edge: EdgeApp;

  beforeAll(async () => {
    edge = await startEdgeApp([ExampleModule]);
  });

  afterAll(() => edge.close());

  it('is answered without a key', async () => {
    expect(await edge.call('GET', '/health/live')).toMatchObject({ status: 200, body: { live: true } });
    expect(await edge.call('GET', '/health/ready')).toMatchObject({
      status: 200,
      body: { ready: true, checks: [{ name: 'log', ready: true }] },
    });
  });
});
