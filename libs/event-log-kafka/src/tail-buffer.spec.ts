// What was fetched ahead: it answers as the partition would, or not at all, and its size is bounded.
import fc from 'fast-check';
import type { LogRecord } from '#event-log';
import { TailBuffer } from './tail-buffer.ts';

const recordOf = (offset: number, bytes = 1): LogRecord => ({
  offset,
  appendedAt: offset,
  tenant: 'acme',
  value: new Uint8Array(bytes),
});
const fetchedOf = (next: number, ...offsets: readonly number[]) => ({
  records: offsets.map((offset) => recordOf(offset)),
  next,
  end: next,
});
const offsetsOf = (records: readonly LogRecord[] | undefined) => records?.map(({ offset }) => offset);

describe('a buffer of the end of a partition', () => {
  it('gives what it has from an offset on, at most so much', () => {
    const buffer = new TailBuffer(5);
    buffer.add(fetchedOf(9, 5, 6, 8));
    expect(offsetsOf(buffer.read({ from: 5, limit: 2 }))).toEqual([5, 6]);
    expect(offsetsOf(buffer.read({ from: 7, limit: 10 }))).toEqual([8]);
  });

  it('says nothing of what it has not looked at', () => {
    const buffer = new TailBuffer(5);
    buffer.add(fetchedOf(7, 5, 6));
    expect(buffer.read({ from: 4, limit: 1 })).toBeUndefined();
    expect(buffer.read({ from: 7, limit: 1 })).toBeUndefined();
  });

  it('knows where there is nothing: a transaction’s markers take offsets', () => {
    const buffer = new TailBuffer(0);
    buffer.add(fetchedOf(3, 0, 1));
    expect(offsetsOf(buffer.read({ from: 2, limit: 1 }))).toEqual([]);
    expect([buffer.seek(0), buffer.seek(2), buffer.seek(3)]).toEqual([0, 3, 3]);
  });

  it('begins anew where somebody wants what lies further on', () => {
    const buffer = new TailBuffer(0);
    buffer.add(fetchedOf(2, 0, 1));
    buffer.want(10);
    expect(buffer.next).toBe(10);
    expect(buffer.read({ from: 0, limit: 1 })).toBeUndefined();
  });

  it('is full of what nobody has read, and no more once it is read', () => {
    const buffer = new TailBuffer(0);
    buffer.add({ records: [recordOf(0, 5 * 1024 * 1024), recordOf(1)], next: 2, end: 2 });
    expect(buffer.isFull).toBe(true);
    buffer.read({ from: 0, limit: 1 });
    expect(buffer.isFull).toBe(false);
  });

  it('keeps little of what was read', () => {
    const buffer = new TailBuffer(0);
    for (let offset = 0; offset < 100; offset += 1) {
      buffer.add({ records: [recordOf(offset, 100_000)], next: offset + 1, end: offset + 1 });
      buffer.read({ from: offset, limit: 1 });
    }
    expect(buffer.read({ from: 80, limit: 1 })).toBeUndefined();
    expect(offsetsOf(buffer.read({ from: 99, limit: 1 }))).toEqual([99]);
  });

  it('shows nothing that was let go of', () => {
    const buffer = new TailBuffer(0);
    buffer.add(fetchedOf(4, 0, 1, 2, 3));
    buffer.trim(2);
    expect(buffer.read({ from: 0, limit: 9 })).toBeUndefined();
    expect(offsetsOf(buffer.read({ from: 2, limit: 9 }))).toEqual([2, 3]);
  });

  it('answers as the partition does, whatever is asked in whatever order', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('fetch' as const), gap: fc.integer({ min: 0, max: 2 }), count: fc.nat(5) }),
      fc.record({ do: fc.constant('read' as const), from: fc.nat(60), limit: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ do: fc.constant('want' as const), from: fc.nat(60) }),
      fc.record({ do: fc.constant('trim' as const), from: fc.nat(30) }),
    );
    // Every third offset is a marker's.
    const records = Array.from({ length: 200 }, (_, offset) => offset).filter((offset) => offset % 3 !== 2);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const buffer = new TailBuffer(0);
        for (const one of steps) {
          if (one.do === 'fetch') {
            const next = buffer.next + one.count + one.gap;
            buffer.add(fetchedOf(next, ...records.filter((offset) => offset >= buffer.next && offset < next)));
          } else if (one.do === 'want') buffer.want(one.from);
          else if (one.do === 'trim') buffer.trim(one.from);
          else {
            const read = offsetsOf(buffer.read(one));
            if (read === undefined) continue;
            const expected = records.filter((offset) => offset >= one.from && offset < buffer.next);
            expect(read).toEqual(expected.slice(0, one.limit));
          }
        }
      }),
    );
  });
});
