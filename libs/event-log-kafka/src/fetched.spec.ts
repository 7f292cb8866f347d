// What a fetch brought: only what is committed, and how far it goes.
import type { FetchedMessage, FetchedPartition } from './kafkajs-parts.ts';
import { readFetched } from './fetched.ts';

interface Told {
  readonly producer?: string;
  readonly control?: 'commit' | 'abort';
  readonly key?: Buffer | null;
  readonly value?: Buffer | null;
}

function message(offset: number, { producer, control, key, value = Buffer.from('v') }: Told = {}): FetchedMessage {
  const controlKey = Buffer.from([0, 0, 0, control === 'abort' ? 0 : 1]);
  return {
    offset: String(offset),
    timestamp: String(1_000 + offset),
    key: control === undefined ? (key ?? null) : controlKey,
    value,
    isControlRecord: control !== undefined,
    batchContext: {
      firstOffset: String(offset),
      lastOffsetDelta: 0,
      producerId: producer ?? '-1',
      inTransaction: producer !== undefined,
    },
  };
}

function fetched(
  messages: readonly FetchedMessage[],
  abortedTransactions: FetchedPartition['abortedTransactions'] = [],
): FetchedPartition {
  return {
    partition: 0,
    errorCode: 0,
    highWatermark: '100',
    lastStableOffset: '90',
    abortedTransactions,
    messages,
  };
}

const offsetsOf = (...of: Parameters<typeof readFetched>): readonly number[] =>
  readFetched(...of).records.map(({ offset }) => offset);

describe('what a fetch brought', () => {
  it('is its records with their instants, tenants and bytes, from the offset on that was asked for', () => {
    const partition = fetched([
      message(3),
      message(4, { key: Buffer.from('acme'), value: Buffer.from('x') }),
      message(5),
    ]);
    expect(readFetched(partition, 4)).toMatchObject({
      records: [
        { offset: 4, appendedAt: 1_004, tenant: 'acme', value: Buffer.from('x') },
        { offset: 5, tenant: null },
      ],
      next: 6,
      end: 90,
    });
  });

  it('goes past markers, which are no records', () => {
    const read = readFetched(
      fetched([message(0, { producer: '7' }), message(1, { producer: '7', control: 'commit' })]),
      0,
    );
    expect(read.records).toHaveLength(1);
    expect(read.next).toBe(2);
  });

  it('hides what was aborted, of that producer and until its marker', () => {
    const messages = [
      message(0, { producer: '7' }),
      message(1, { producer: '8' }),
      message(2, { producer: '7', control: 'abort' }),
      message(3, { producer: '7' }),
      message(4, { producer: '8', control: 'commit' }),
      message(5, { producer: '7', control: 'commit' }),
    ];
    expect(offsetsOf(fetched(messages, [{ producerId: '7', firstOffset: '0' }]), 0)).toEqual([1, 3]);
  });

  it('hides two aborted transactions of one producer in one fetch, in whatever order they are told', () => {
    const messages = [
      message(0, { producer: '7' }),
      message(1, { producer: '7', control: 'abort' }),
      message(2, { producer: '7' }),
      message(3, { producer: '7', control: 'abort' }),
      message(4),
    ];
    const aborted = [
      { producerId: '7', firstOffset: '2' },
      { producerId: '7', firstOffset: '0' },
    ];
    expect(offsetsOf(fetched(messages, aborted), 0)).toEqual([4]);
  });

  it('hides the rest of what was aborted where it is read from the middle on', () => {
    const messages = [message(5, { producer: '7' }), message(6, { producer: '7', control: 'abort' }), message(7)];
    expect(offsetsOf(fetched(messages, [{ producerId: '7', firstOffset: '2' }]), 5)).toEqual([7]);
  });

  it('takes a record without a value for one without bytes, and a key that is none of ours for no tenant', () => {
    const [record] = readFetched(fetched([message(0, { key: Buffer.from('a\\x'), value: null })]), 0).records;
    expect(record).toMatchObject({ tenant: null, value: new Uint8Array() });
  });

  it('stays where it is where there is nothing', () => {
    expect(readFetched(fetched([]), 12)).toEqual({ records: [], next: 12, end: 90 });
  });
});
