// Following the end of a partition: who waits is told, whatever has passed unread before.
import { LogEnds } from '#event-log';
import { systemClock } from '#runtime';
import type { Broker, FetchedPartition } from './kafkajs-parts.ts';
import type { Leaders } from './leaders.ts';
import { Tail } from './tail.ts';

const longMs = 20_000;

/** A broker that answers a fetch once it is told with what; the offsets that it was asked for, in order. */
class ScriptedBroker {
  readonly asked: number[] = [];
  private answer: ((messages: FetchedPartition['messages']) => void) | undefined;
  private onAsked = (): void => undefined;

  readonly leaders = {
    leaderOf: () => Promise.resolve(1),
    atBroker: (_: number, request: (broker: Broker) => Promise<unknown>) => request(this.broker),
    recover: () => Promise.resolve(),
  } as unknown as Leaders;

  private readonly broker = {
    fetch: ({ topics }: Parameters<Broker['fetch']>[0]) => {
      const [topic] = topics;
      const [partition] = topic?.partitions ?? [];
      this.asked.push(Number(partition?.fetchOffset));
      return new Promise((resolve) => {
        this.answer = (messages) => {
          const fetched = { partition: 0, errorCode: 0, lastStableOffset: '0', abortedTransactions: [], messages };
          resolve({ responses: [{ topicName: topic?.topic, partitions: [fetched] }] });
        };
        this.onAsked();
      });
    },
  } as unknown as Broker;

  /** Answers the fetch that waits, or the next one. */
  async brings(offsets: readonly number[], bytes: number): Promise<void> {
    if (this.answer === undefined) await new Promise<void>((resolve) => (this.onAsked = resolve));
    const { answer } = this;
    this.answer = undefined;
    answer?.(offsets.map((offset) => messageOf(offset, bytes)));
  }
}

function messageOf(offset: number, bytes: number): FetchedPartition['messages'][number] {
  return {
    offset: String(offset),
    timestamp: '0',
    key: null,
    value: Buffer.alloc(bytes),
    isControlRecord: false,
    batchContext: { firstOffset: String(offset), lastOffsetDelta: 0, producerId: '-1', inTransaction: false },
  };
}

it('is told of what comes, where more than is kept has passed unread before', async () => {
  const broker = new ScriptedBroker();
  const names = { inbox: 'inbox', ledger: 'ledger' };
  const tail = new Tail({
    ...{ leaders: broker.leaders, names, ends: new LogEnds(systemClock), clock: systemClock },
    report: (fault) => {
      throw fault;
    },
  });
  const first = tail.waitFor('ledger', 0, 0, longMs, undefined);
  await broker.brings([0, 1, 2, 3, 4], 1_000_000);
  await first;

  const next = tail.waitFor('ledger', 0, 100, longMs, undefined);
  await broker.brings([100], 10);
  await next;

  expect(broker.asked.slice(0, 2)).toEqual([0, 100]);
  const closed = tail.close();
  await broker.brings([], 0);
  await closed;
});
