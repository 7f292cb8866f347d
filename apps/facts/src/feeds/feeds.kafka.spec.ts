// Facts over Kafka: from a topic of a real broker to what the core decides of them.
import { Global, Module, type Type } from '@nestjs/common';
import { decodeLedger, encodeInbox, type Feeds, type LedgerEvent, type MemoryEventLog, partitionOf } from '#event-log';
import { KafkaFeeds, topicNames } from '#event-log-kafka';
import { FEEDS, systemClock } from '#runtime';
import {
  consoleConsume,
  declared,
  type EdgeApp,
  makeTopics,
  openTestFeeds,
  raised,
  startEdgeApp,
  testBrokers,
  type TestFeeds,
  type TestTopics,
  until,
} from '#testing';
import { FactsModule } from '../facts.module.ts';

const hourAgo = Date.now() - 3_600_000;
const fact = (factKey: string, over: object = {}) => ({
  ...{ factKey, observedAt: new Date(hourAgo).toISOString(), source: 'carrier:ek', ...over },
});

function feedsModule(feeds: Feeds): Type<unknown> {
  @Global()
  @Module({ providers: [{ provide: FEEDS, useValue: feeds }], exports: [FEEDS] })
  class FeedsOfTest {}
  return FeedsOfTest;
}

/** As a process that is killed before it has told the group how far it has come. */
function forgetful(feeds: Feeds): Feeds {
  return {
    join: ({ serve, ...options }) =>
      feeds.join({ ...options, serve: (feed) => serve({ ...feed, reported: () => undefined }) }),
  };
}

async function eventsOf(log: MemoryEventLog, tenant: string): Promise<readonly LedgerEvent[]> {
  const partition = partitionOf(tenant, log.partitionCount);
  const records = await log.read('ledger', partition, { from: 0, limit: 10_000 });
  return records.flatMap((record) => {
    const entry = decodeLedger(record.value);
    return record.tenant === tenant && 'events' in entry ? entry.events : [];
  });
}

describe('facts in a topic', () => {
  let brokers: readonly string[];
  let topics: TestTopics;
  let feeds: TestFeeds;
  let edge: EdgeApp;
  let topic: string;

  const kafkaFeeds = (): Feeds =>
    new KafkaFeeds({ address: topics.address, deployment: 'one', clock: systemClock, refreshMs: 500 });
  const events = (): Promise<readonly LedgerEvent[]> => eventsOf(edge.log, 'acme');
  const keysOf = async (type: string): Promise<readonly unknown[]> =>
    (await events()).flatMap((event) => (event.type === type && 'fact' in event ? [event.fact] : []));
  const groupPosition = async (): Promise<number | undefined> =>
    (await feeds.positions(`${topics.address.prefix}-one-facts`, topic))[0];

  async function open(own = kafkaFeeds()): Promise<void> {
    edge = await startEdgeApp([feedsModule(own), FactsModule]);
    await edge.key();
  }

  beforeAll(async () => (brokers = await testBrokers()));
  beforeEach(async () => {
    topics = await makeTopics(brokers, 1);
    feeds = await openTestFeeds(topics.address);
    topic = await feeds.make('acme');
  });
  afterEach(async () => {
    await edge.close();
    await feeds.close();
    await topics.drop();
  });

  it('satisfy what their tenant expects, reported by their topic', async () => {
    await open();
    for (const tenant of ['acme', 'globex']) {
      const inputs = [declared(), raised({ id: '1', dueAtMs: Date.parse('2099-01-01T00:00:00Z') })];
      const records = inputs.map((input) => ({ tenant, value: encodeInbox(input) }));
      await edge.log.append(partitionOf(tenant, edge.log.partitionCount), records);
    }
    await feeds.write(topic, [fact('departed:1', { tenant: 'globex' })]);
    await until(async () => (await events()).some(({ type }) => type === 'expectationSatisfied'));
    expect(await events()).toContainEqual(
      expect.objectContaining({ type: 'expectationSatisfied', expectationId: '1', source: `kafka:${topic}` }),
    );
    expect((await eventsOf(edge.log, 'globex')).map(({ type }) => type)).not.toContain('expectationSatisfied');
  });

  it('may be arrays, each record one report', async () => {
    await open();
    const many = (name: string, count: number) => Array.from({ length: count }, (_, index) => fact(`${name}${index}`));
    await feeds.write(topic, [many('a', 700), fact('b'), []]);
    await until(async () => (await keysOf('factRecorded')).length === 701);
    const inbox = await edge.log.read('inbox', partitionOf('acme', 2), { from: 0, limit: 100 });
    expect(inbox).toHaveLength(2);
    await until(async () => (await groupPosition()) === 3);
  });

  it('are repeats, and decided as such, where a process ends before it has said how far it came', async () => {
    await open(forgetful(kafkaFeeds()));
    await feeds.write(topic, [fact('a'), [fact('b'), fact('c')]]);
    await until(async () => (await keysOf('factRecorded')).length === 3);
    const before = await edge.log.read('inbox', partitionOf('acme', 2), { from: 0, limit: 100 });
    await edge.close();
    await open();
    // As the log would still have it.
    await edge.log.append(
      partitionOf('acme', 2),
      before.map(({ tenant, value }) => ({ tenant, value })),
    );
    await until(async () => (await events()).filter(({ type }) => type.startsWith('fact')).length === 6);
    const types = (await events()).map(({ type }) => type);
    expect(types.filter((type) => type === 'factRecorded')).toHaveLength(3);
    expect(types.filter((type) => type === 'factRepeated')).toHaveLength(3);
  });

  it('are taken beside what is none, which is parked by reference and counted', async () => {
    await open();
    const poison: unknown[] = [
      null,
      '{"factKey": secret',
      Buffer.from([0x22, 0xff, 0x22]),
      '"text"',
      `"${'x'.repeat(600_000)}"`,
    ];
    const deep = '['.repeat(500) + ']'.repeat(500);
    await feeds.write(topic, [
      fact('a'),
      ...poison.flatMap((value, index) => [value, fact(`n${index}`)]),
      deep,
      fact('z'),
    ]);
    await until(async () => (await keysOf('factRecorded')).length === 7);
    await until(async () => (await groupPosition()) === 13);
    const letters = await consoleConsume({
      ...{ brokers, topic: topicNames(topics.address).deadLetters, isolation: 'read_committed' },
    });
    const said = letters.map(({ value }) => JSON.parse(String(value)) as { offset: number; reason: string });
    expect(said.map(({ offset, reason }) => [offset, reason])).toEqual([
      [1, 'no_value'],
      [3, 'not_json'],
      [5, 'not_json'],
      [7, 'wrong_shape'],
      [9, 'too_large'],
      [11, 'not_json'],
    ]);
    expect(JSON.stringify(said)).not.toContain('secret');
  });

  it('are quarantined where they are not plausible, and told when they are released', async () => {
    await open();
    const key = await edge.key({ scopes: ['read', 'operate'], name: 'operator' });
    await feeds.write(topic, [[fact('odd', { observedAt: '2099-01-01T00:00:00Z' }), fact('a')]]);
    await until(async () => (await keysOf('factRecorded')).length === 1);
    const { body } = await edge.call('GET', '/v1/quarantine', { key });
    const { items } = body as { items: readonly { id: string; reporter: string }[] };
    expect(items).toEqual([expect.objectContaining({ reporter: `kafka:${topic}`, state: 'quarantined' })]);
    await edge.call('POST', `/v1/quarantine/${items[0]!.id}/release`, { key });
    await until(async () => (await keysOf('factRecorded')).length === 2);
  });

  it('of one tenant that floods do not hold up another’s', async () => {
    await open();
    await edge.key({ tenant: 'globex' });
    const other = await feeds.make('globex');
    const resume = edge.decider.pause();
    const flood = Array.from({ length: 900 }, (_, index) => fact(`flood${index}`, { padding: 'x'.repeat(200) }));
    for (let batch = 0; batch < 30; batch += 1) await feeds.write(topic, [flood]);
    await feeds.write(other, [fact('other')]);
    const inboxOf = async (tenant: string) =>
      (await edge.log.read('inbox', partitionOf(tenant, 2), { from: 0, limit: 1_000 })).filter(
        (record) => record.tenant === tenant,
      );
    await until(async () => (await inboxOf('globex')).length === 1);
    // Of the flood no more than may be undecided is in the log; the rest stays in its topic.
    const bytes = (await inboxOf('acme')).reduce((sum, { value }) => sum + value.byteLength, 0);
    expect(bytes).toBeLessThan(6_000_000);
    resume();
    await until(async () => (await groupPosition()) === 30);
  });
});
