// Stopped and started again, with the read model's tables made anew or not: the same answers, row for row.
import { type CardServer, exampleCard, FakeAgent, startCardServer } from '#testing';
import type { AnyWatcher, CreateWatcher } from './any-watcher.ts';
import { until } from './watcher.ts';

const uri = 'https://rsaxb.com/a2a/expectations/v1';
const lists = ['expectations', 'lapses', 'facts', 'refusals', 'dispatches'] as const;

export function describeRestart(create: CreateWatcher): void {
  let watcher: AnyWatcher;
  let agent: FakeAgent;
  let cards: CardServer;

  beforeAll(async () => {
    watcher = await create();
    agent = await FakeAgent.start();
    cards = await startCardServer();
    const { supportedInterfaces } = agent.card as { readonly supportedInterfaces: unknown };
    const kinds = ['manifest', 'departure', 'arrival'].map((step) => ({
      kind: `shipment.${step}`,
      subjectType: 'shipment',
      describes: `the ${step} of a shipment`,
      basis: 'observed',
    }));
    cards.card = { ...exampleCard({ kinds }), supportedInterfaces };
    await watcher.start();
  });

  afterAll(async () => {
    await watcher.remove();
    await agent.stop();
    await cards.close();
  });

  /** Everything the read endpoints show. */
  async function everything(): Promise<Record<string, unknown>> {
    const shown: Record<string, unknown> = {};
    for (const list of lists) shown[list] = await watcher.call('GET', `/v1/${list}?limit=100`);
    const timeline = await watcher.call('GET', '/v1/subjects/shipment/PA-1/timeline');
    // As of when moves on with the clock.
    shown['timeline'] = { ...(timeline as object), asOf: undefined };
    return shown;
  }

  function raise(id: string, dueInMs: number, more: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      expectationId: id,
      kind: 'shipment.manifest',
      subject: { type: 'shipment', id: 'PA-1' },
      expects: `${id} of PA-1`,
      satisfiedBy: { factKey: `${id}:PA-1` },
      dueAt: new Date(Date.now() + dueInMs).toISOString(),
      basis: 'observed',
      ...more,
    };
  }

  it('answers the same after a restart, and after its tables were made again from the ledger', async () => {
    await watcher.call('PUT', '/v1/agents/booking', { cardUrl: cards.url });
    const lapses = (): unknown[] => agent.received.filter(({ messageId }) => messageId.startsWith('lapse:'));
    const expectations = [
      raise('manifest', 300),
      raise('departure', 3_600_000, { after: ['manifest'] }),
      raise('arrival', 7_200_000, { anchor: { expectationId: 'departure', offset: 'PT1H' } }),
      raise('refused', 1_000, { kind: 'shipment.undeclared' }),
    ];
    const task = {
      id: 'task-1',
      contextId: 'ctx-1',
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: 'a', parts: [], metadata: { [uri]: { expectations } } }],
    };
    await watcher.call('POST', '/v1/observations', { agentId: 'booking', task });
    await until(async () => lapses().length === 1);
    await watcher.call('POST', '/v1/facts', {
      factKey: 'departure:PA-1',
      observedAt: new Date().toISOString(),
      subject: { type: 'shipment', id: 'PA-1' },
    });
    await until(async () => lapses().length === 2);
    await until(async () => {
      const { items } = (await watcher.call('GET', '/v1/dispatches')) as { items: { state: string }[] };
      return items.length === 2 && items.every((item) => item.state === 'concluded');
    });
    await until(async () => {
      const { items } = (await watcher.call('GET', '/v1/refusals')) as { items: { telling?: unknown }[] };
      return items[0]?.telling !== undefined;
    });
    const before = await everything();
    expect((before['expectations'] as { items: unknown[] }).items).toHaveLength(3);
    expect((before['refusals'] as { items: unknown[] }).items).toHaveLength(1);

    expect(await watcher.stop()).toBe(0);
    await watcher.start();
    expect(await everything()).toEqual(before);

    expect(await watcher.stop()).toBe(0);
    expect(await watcher.run('projections', 'rebuild')).toBe(0);
    await watcher.start();
    expect(await everything()).toEqual(before);
    expect(lapses()).toHaveLength(2);
    expect(agent.received).toHaveLength(3);
  });
}
