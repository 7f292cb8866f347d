// The contract of trimming: what may go goes, and nothing else is touched.
import { appendBefore, type EventLogSubject, readable, readAll, recordsOf, textOf } from './subject.ts';

const startMs = Date.parse('2026-09-01T00:00:00Z');

export function describeTrimming(subject: () => EventLogSubject): void {
  describe('trimming', () => {
    /** Records appended one after the other, each at an instant of its own. */
    async function inTurn(...texts: string[]): Promise<{ offset: number; appendedAt: number }[]> {
      const appended: { offset: number; appendedAt: number }[] = [];
      for (const text of texts) {
        const { offsets, appendedAt } = await appendBefore(subject().log, text);
        appended.push({ offset: offsets[0]!, appendedAt });
      }
      return appended;
    }

    const texts = async (): Promise<string[]> => (await readAll(subject().log, 'inbox', 0)).map(textOf);
    const later = async (): Promise<number> => (await subject().log.now()) + 60_000;

    it('lets go of what lies before an offset and was appended before an instant', async () => {
      const { log } = subject();
      const [, , c, d] = await inTurn('a', 'b', 'c', 'd');
      await log.trim(0, { before: d!.offset, appendedBefore: c!.appendedAt });
      expect(await texts()).toEqual(['c', 'd']);
      expect((await log.bounds('inbox', 0)).earliest).toBe(c!.offset);
      await log.trim(0, { before: d!.offset, appendedBefore: await later() });
      expect(await texts()).toEqual(['d']);
    });

    it('keeps what stands behind a record that stays', async () => {
      const { log, setClock } = subject();
      if (setClock === undefined) return;
      await setClock(startMs + 60_000);
      const { offsets } = await log.append(0, recordsOf('ahead'));
      await setClock(startMs);
      await log.append(0, recordsOf('behind'));
      await log.trim(0, { before: offsets[0]! + 2, appendedBefore: startMs + 1_000 });
      expect(await texts()).toEqual(['ahead', 'behind']);
    });

    it('leaves offsets, other partitions and the ledger as they are', async () => {
      const { log } = subject();
      const [, b] = await inTurn('a', 'b');
      await log.append(1, recordsOf('other'));
      await readable(await (await log.openWriter(0, 'test')).append(recordsOf('decided')), log);
      await log.trim(0, { before: b!.offset + 1, appendedBefore: await later() });
      expect(await texts()).toEqual([]);
      const { earliest, end } = await log.bounds('inbox', 0);
      expect(earliest).toBe(end);
      expect((await readAll(log, 'inbox', 1)).map(textOf)).toEqual(['other']);
      expect((await readAll(log, 'ledger', 0)).map(textOf)).toEqual(['decided']);
      const appended = await log.append(0, recordsOf('c'));
      expect(appended.offsets[0]).toBeGreaterThan(b!.offset);
    });

    it('goes on slice by slice until nothing is left to let go of', async () => {
      const { log } = subject();
      const { offsets } = await log.append(0, recordsOf(...Array.from({ length: 12_000 }, (_, nth) => String(nth))));
      const options = { before: offsets.at(-1)!, appendedBefore: await later() };
      let callCount = 1;
      while (await log.trim(0, options)) callCount += 1;
      expect(callCount).toBeLessThan(12_000);
      expect(await texts()).toEqual(['11999']);
    });
  });
}
