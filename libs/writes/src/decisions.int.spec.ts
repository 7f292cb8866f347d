// `/v1/decisions/{position}`: what was decided of any input of the tenant, and of no other tenant's.
import { Module } from '@nestjs/common';
import { encodeInbox, formatPosition, partitionOf, type UntimedInput } from '#event-log';
import { type EdgeApp, startEdgeApp } from '#testing';
import { WritesModule } from './writes.module.ts';

@Module({ imports: [WritesModule] })
class ExampleModule {}

describe('what was decided of an input', () => {
  let edge: EdgeApp;
  let key: string;

  beforeAll(async () => {
    edge = await startEdgeApp([ExampleModule]);
    key = await edge.key({ scopes: ['read'] });
  });
  afterAll(() => edge.close());

  /** Appends it and gives its position. */
  async function tell(input: UntimedInput, tenant = 'acme'): Promise<string> {
    const partition = partitionOf(tenant, edge.log.partitionCount);
    const { offsets } = await edge.log.append(partition, [{ tenant, value: encodeInbox(input) }]);
    return formatPosition({ partition, offset: offsets[0] ?? 0 });
  }

  const read = (position: string, as = key) => edge.call('GET', `/v1/decisions/${position}`, { key: as });

  async function decided(position: string) {
    for (;;) {
      const answer = await read(position);
      if (answer.status !== 202) return answer;
      expect(answer.headers.get('location')).toBe(`/v1/decisions/${position}`);
    }
  }

  const fact = { factKey: 'k', observedAt: '2026-09-01T00:00:00Z' };
  const report: UntimedInput = { type: 'factsReported', reporter: 'r', facts: [fact, 7] };
  const statusObserved = { type: 'statusObserved', agentId: 'a', taskId: 't', contextId: 'c' } as const;

  it.each<[string, UntimedInput, readonly string[]]>([
    ['recorded', report, ['factRefused', 'factRecorded']],
    ['repeated', report, ['factRefused', 'factRepeated']],
    ['a status', { ...statusObserved, state: 'TASK_STATE_WORKING' }, ['statusApplied']],
    ['a setting', { type: 'configured', settings: {} }, ['configured']],
  ])('is told: %s', async (_, input, types) => {
    const { status, body } = await decided(await tell(input));
    expect(status).toBe(200);
    expect((body as { events: { type: string }[] }).events.map(({ type }) => type)).toEqual(types);
  });

  it('is told later where it is not decided yet', async () => {
    const resume = edge.decider.pause();
    const position = await tell(report);
    const answer = await read(position);
    resume();
    expect(answer).toMatchObject({ status: 202, body: { position } });
    await tell(report);
    expect(await decided(position)).toMatchObject({ status: 200, body: { position } });
  });

  it('is nothing to another tenant, of the same partition or not', async () => {
    const position = await tell(report);
    await decided(position);
    for (const tenant of ['globex', 'zeta', 'beta', 'delta']) {
      const stranger = await edge.key({ tenant, scopes: ['admin'] });
      expect(await read(position, stranger)).toMatchObject({ status: 404, body: { type: '/problems/not-found' } });
    }
  });

  it.each(['none', '0-999999', '1-999999', '7-0', '%00', '0-0%2F', '-1-2'])('is none at %s', async (position) => {
    expect(await read(position)).toMatchObject({ status: 404 });
  });
});
