// The contract of trimming: what may go goes, and nothing else is touched.
import { type EventLogSubject, readAll, recordsOf, textOf } from './subject.ts';

const startMs = Date.parse('2026-09-01T00:00:00Z');

export function describeTrimming(subject: () => EventLogSubject): void {
  describe('trimming', () => {
    /** One record a second, and the offset of each. */
    async function seconds(...texts: string[]): Promise<number[]> {
      const { log, setClock } = subject();
      const offsets: number[] = [];
      for (const [nth, text] of texts.entries()) {
        await setClock(startMs + nth * 1_000);
        offsets.push((await log.append(0, recordsOf(text))).offsets[0]!);
      }
      return offsets;
    }

    const texts = async (): Promise<string[]> => (await readAll(subject().log, 'inbox', 0)).map(textOf);

    it('lets go of what lies before an offset and was appended before an instant', async () => {
      const { log } = subject();
      const offsets = await seconds('a', 'b', 'c', 'd');
      await log.trim(0, { before: offsets[3]!, appendedBefore: startMs + 2_000 });
      expect(await texts()).toEqual(['c', 'd']);
      expect((await log.bounds('inbox', 0)).earliest).toBe(offsets[2]);
      await log.trim(0, { before: offsets[3]!, appendedBefore: startMs + 60_000 });
      expect(await texts()).toEqual(['d']);
    });

    it('keeps what stands behind a record that stays', async () => {
      const { log, setClock } = subject();
      await setClock(startMs + 60_000);
      const { offsets } = await log.append(0, recordsOf('ahead'));
      await setClock(startMs);
      await log.append(0, recordsOf('behind'));
      await log.trim(0, { before: offsets[0]! + 2, appendedBefore: startMs + 1_000 });
      expect(await texts()).toEqual(['ahead', 'behind']);
    });

    it('leaves offsets, other partitions and the ledger as they are', async () => {
      const { log, setClock } = subject();
      const offsets = await seconds('a', 'b');
      await log.append(1, recordsOf('other'));
      await (await log.openWriter(0, 'test')).append(recordsOf('decided'));
      await log.trim(0, { before: offsets[1]! + 1, appendedBefore: startMs + 60_000 });
      expect(await texts()).toEqual([]);
      const { earliest, end } = await log.bounds('inbox', 0);
      expect(earliest).toBe(end);
      expect((await readAll(log, 'inbox', 1)).map(textOf)).toEqual(['other']);
      expect((await readAll(log, 'ledger', 0)).map(textOf)).toEqual(['decided']);
      await setClock('real');
      const appended = await log.append(0, recordsOf('c'));
      expect(appended.offsets[0]).toBeGreaterThan(offsets[1]!);
    });

    it('goes on slice by slice until nothing is left to let go of', async () => {
      const { log } = subject();
      const { offsets } = await log.append(0, recordsOf(...Array.from({ length: 12_000 }, (_, nth) => String(nth))));
      const options = { before: offsets.at(-1)!, appendedBefore: startMs * 2 };
      let callCount = 1;
      while (await log.trim(0, options)) callCount += 1;
      expect(callCount).toBeLessThan(12_000);
      expect(await texts()).toEqual(['11999']);
    });
  });
}
