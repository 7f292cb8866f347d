// The contract of reading: pages, bounds, and what is kept.
import { MAX_READ_BYTES } from '#event-log';
import { bytesOf, type EventLogSubject, readable, readAll, recordsOf, textOf } from './subject.ts';

export function describeReading(subject: () => EventLogSubject): void {
  describe('reading', () => {
    it('is empty at the beginning and past the end', async () => {
      const { log } = subject();
      expect(await log.read('inbox', 0, { from: 0, limit: 10 })).toEqual([]);
      await log.append(0, recordsOf('a'));
      const { end } = await log.bounds('inbox', 0);
      expect(await log.read('inbox', 0, { from: end, limit: 10 })).toEqual([]);
      expect(await log.read('inbox', 0, { from: end + 1_000, limit: 10 })).toEqual([]);
    });

    it('goes page by page, from an offset on and at most so many', async () => {
      const { log } = subject();
      const texts = Array.from({ length: 25 }, (_, nth) => String(nth));
      const { offsets } = await log.append(0, recordsOf(...texts));
      const page = await log.read('inbox', 0, { from: offsets[3]!, limit: 4 });
      expect(page.map(textOf)).toEqual(['3', '4', '5', '6']);
      expect((await readAll(log, 'inbox', 0, { limit: 4 })).map(textOf)).toEqual(texts);
    });

    it('ends early where records are large, but not without one', async () => {
      const { log } = subject();
      const large = { tenant: 'acme', value: new Uint8Array(MAX_READ_BYTES / 8) };
      const huge = { tenant: 'acme', value: new Uint8Array(MAX_READ_BYTES + 1) };
      await log.append(0, [...Array.from({ length: 12 }, () => large), huge, huge]);
      expect(await log.read('inbox', 0, { from: 0, limit: 100 })).toHaveLength(8);
      expect(await log.read('inbox', 0, { from: 13, limit: 100 })).toHaveLength(1);
      expect(await readAll(log, 'inbox', 0)).toHaveLength(14);
    });

    it('is bounded by the first record kept and the next to come', async () => {
      const { log } = subject();
      expect(await log.bounds('inbox', 0)).toEqual({ earliest: 0, end: 0 });
      const { offsets } = await log.append(0, recordsOf('a', 'b'));
      const { earliest, end } = await log.bounds('inbox', 0);
      expect(earliest).toBe(offsets[0]);
      expect(end).toBeGreaterThan(offsets[1]!);
      expect(await log.bounds('ledger', 0)).toEqual({ earliest: 0, end: 0 });
    });

    it('shows another process what is appended, at once', async () => {
      const { log, other } = subject();
      await log.append(0, recordsOf('a'));
      expect((await readAll(other, 'inbox', 0)).map(textOf)).toEqual(['a']);
    });

    it('is the same after the log was closed and opened again', async () => {
      const { log, reopen } = subject();
      if (reopen === undefined) return;
      const writer = await log.openWriter(1, 'first');
      await readable(await writer.append([{ tenant: null, value: bytesOf('decided') }]), log);
      await log.append(1, recordsOf('a', 'b'));
      const before = [await readAll(log, 'inbox', 1), await readAll(log, 'ledger', 1)];
      const reopened = await reopen();
      expect([await readAll(reopened, 'inbox', 1), await readAll(reopened, 'ledger', 1)]).toEqual(before);
      const { offsets } = await reopened.append(1, recordsOf('c'));
      expect(offsets[0]).toBeGreaterThan(before[0]!.at(-1)!.offset);
      expect((await reopened.openWriter(1, 'second')).epoch).toBeGreaterThan(writer.epoch);
    });
  });
}
