// The contract of the ledger's writer: alone, whole, in order, and fenced when another takes over.
import { FencedError, LogUnavailableError } from '#event-log';
import { type EventLogSubject, readable, readAll, recordsOf, textOf } from './subject.ts';

export function describeWriting(subject: () => EventLogSubject): void {
  describe('writing the ledger', () => {
    it('appends whole batches in the order of the calls', async () => {
      const { log } = subject();
      const writer = await log.openWriter(1, 'first');
      const appended = await Promise.all([
        writer.append(recordsOf('a', 'b')),
        writer.append(recordsOf('c')),
        writer.append(recordsOf('d', 'e')),
      ]);
      await readable(appended[2], log);
      const read = await readAll(log, 'ledger', 1);
      expect(read.map(textOf)).toEqual(['a', 'b', 'c', 'd', 'e']);
      expect(appended.flatMap(({ offsets }) => offsets)).toEqual(read.map(({ offset }) => offset));
      const [first, second, third] = appended.map(({ appendedAt }) => appendedAt);
      expect(read.map(({ appendedAt }) => appendedAt)).toEqual([first, first, second, third, third]);
      expect(await readAll(log, 'inbox', 1)).toEqual([]);
    });

    it('is over for a writer once another has taken the partition, and nothing of it is written', async () => {
      const { log, other } = subject();
      const old = await log.openWriter(0, 'first');
      await old.append(recordsOf('a'));
      const young = await other.openWriter(0, 'second');
      expect(young.epoch).toBeGreaterThan(old.epoch);
      await expect(old.append(recordsOf('b', 'c'))).rejects.toThrow(FencedError);
      await readable(await young.append(recordsOf('d')), log);
      await expect(old.append(recordsOf('e'))).rejects.toThrow(FencedError);
      expect((await readAll(log, 'ledger', 0)).map(textOf)).toEqual(['a', 'd']);
    });

    it('is whole whenever another takes over: all of a batch before its first record, or none of it', async () => {
      const { log, other } = subject();
      for (let round = 0; round < 10; round += 1) {
        const old = await log.openWriter(0, 'first');
        const [written, young] = await Promise.allSettled([
          old.append(recordsOf(`${round} old`, `${round} old`)),
          other.openWriter(0, 'second'),
        ]);
        expect(young.status).toBe('fulfilled');
        const before = await readAll(other, 'ledger', 0);
        const own = before.filter((record) => textOf(record) === `${round} old`);
        expect(own).toHaveLength(written.status === 'fulfilled' ? 2 : 0);
        await expect(old.append(recordsOf('late'))).rejects.toThrow(FencedError);
        expect(await readAll(other, 'ledger', 0)).toEqual(before);
      }
    });

    it('leaves other partitions to their writers', async () => {
      const { log, other } = subject();
      const zero = await log.openWriter(0, 'first');
      await other.openWriter(1, 'second');
      await readable(await zero.append(recordsOf('a')), log);
      expect((await readAll(log, 'ledger', 0)).map(textOf)).toEqual(['a']);
    });

    it('leaves nothing of a batch that fails, and takes no more until another writer is opened', async () => {
      const { log, breakAppends, mendAppends } = subject();
      const writer = await log.openWriter(0, 'first');
      await writer.append(recordsOf('a'));
      await breakAppends();
      const failing = [writer.append(recordsOf('b', 'c')), writer.append(recordsOf('d'))];
      const [first, second] = await Promise.allSettled(failing);
      expect(first).toMatchObject({ status: 'rejected' });
      expect(second).toMatchObject({ status: 'rejected', reason: expect.any(LogUnavailableError) });
      await mendAppends();
      await expect(writer.append(recordsOf('e'))).rejects.toThrow(LogUnavailableError);
      const next = await log.openWriter(0, 'first');
      await readable(await next.append(recordsOf('f')), log);
      expect((await readAll(log, 'ledger', 0)).map(textOf)).toEqual(['a', 'f']);
    });

    it('is over for a writer that has given the partition up, after what it was appending', async () => {
      const { log } = subject();
      const writer = await log.openWriter(0, 'first');
      const appending = writer.append(recordsOf('a'));
      await writer.release();
      await readable(await appending, log);
      await expect(writer.append(recordsOf('b'))).rejects.toThrow(FencedError);
      expect((await readAll(log, 'ledger', 0)).map(textOf)).toEqual(['a']);
    });

    it('refuses no records', async () => {
      const { log } = subject();
      const writer = await log.openWriter(0, 'first');
      await expect(writer.append([])).rejects.toThrow('at least one record');
    });
  });
}
