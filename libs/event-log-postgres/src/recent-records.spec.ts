import { MAX_READ_BYTES } from '#event-log';
import { RecentRecords } from './recent-records.ts';

const recordsOf = (...sizes: readonly number[]) =>
  sizes.map((size) => ({ tenant: 'acme', value: new Uint8Array(size) }));
const at = (first: number) => ({ first, appendedAt: 1_000 + first });

describe('the records that this process appended last', () => {
  let recent: RecentRecords;
  const offsets = (from: number, limit = 100, partition = 0) =>
    recent.read('ledger', partition, { from, limit })?.map(({ offset }) => offset);

  beforeEach(() => (recent = new RecentRecords()));

  it('are read from any of them on, as they were appended', () => {
    recent.add('ledger', 0, at(3), recordsOf(1, 1));
    recent.add('ledger', 0, at(5), recordsOf(1));
    expect(offsets(3)).toEqual([3, 4, 5]);
    expect(offsets(4, 1)).toEqual([4]);
    expect(recent.read('ledger', 0, { from: 5, limit: 1 })).toEqual([
      { tenant: 'acme', value: new Uint8Array(1), offset: 5, appendedAt: 1_005 },
    ]);
  });

  it('say nothing of what comes before or after them, nor of another partition or topic', () => {
    recent.add('ledger', 0, at(3), recordsOf(1, 1));
    expect([offsets(2), offsets(5), offsets(3, 100, 1)]).toEqual([undefined, undefined, undefined]);
    expect(recent.read('inbox', 0, { from: 3, limit: 1 })).toBeUndefined();
  });

  it('begin again behind what another process has appended in between', () => {
    recent.add('ledger', 0, at(3), recordsOf(1));
    recent.add('ledger', 0, at(7), recordsOf(1));
    expect([offsets(3), offsets(7)]).toEqual([undefined, [7]]);
  });

  it('end a read where it has as many bytes as one may have', () => {
    recent.add('ledger', 0, at(0), recordsOf(MAX_READ_BYTES - 1, 1, 1, MAX_READ_BYTES + 1));
    expect([offsets(0), offsets(3)]).toEqual([[0, 1], [3]]);
  });

  it('are let go when there are too many, the last append never', () => {
    for (let first = 0; first < 100; first += 1) recent.add('ledger', 0, at(first), recordsOf(100_000));
    expect([offsets(50), offsets(99)]).toEqual([undefined, [99]]);
    recent.add('ledger', 0, at(100), recordsOf(10_000_000));
    expect(offsets(100)).toEqual([100]);
  });
});
