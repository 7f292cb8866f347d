// The contract of appending: order, offsets, instants, bytes, all or nothing.
import { type EventLog, LogUnavailableError } from '#event-log';
import { systemClock } from '#runtime';
import { appendBefore, bytesOf, type EventLogSubject, readAll, recordsOf, textOf } from './subject.ts';

export function describeAppending(subject: () => EventLogSubject): void {
  describe('appending to the inbox', () => {
    it('gives each record the offset at which it is read, in the order given', async () => {
      const { log } = subject();
      const first = await log.append(1, recordsOf('a', 'b'));
      const second = await log.append(1, recordsOf('c'));
      expect([first.partition, second.partition]).toEqual([1, 1]);
      const read = await readAll(log, 'inbox', 1);
      expect(read.map(textOf)).toEqual(['a', 'b', 'c']);
      expect(read.map(({ offset }) => offset)).toEqual([...first.offsets, ...second.offsets]);
      expect(first.offsets[0]).toBe(0);
    });

    it('keeps partitions and topics apart', async () => {
      const { log } = subject();
      await log.append(0, recordsOf('zero'));
      await log.append(3, recordsOf('three'));
      const counts = [0, 1, 3].map(async (partition) => (await readAll(log, 'inbox', partition)).length);
      expect(await Promise.all(counts)).toEqual([1, 0, 1]);
      expect(await readAll(log, 'ledger', 0)).toEqual([]);
    });

    it('stamps a batch with one instant of the log’s clock, which is told and read', async () => {
      const { log } = subject();
      const first = await appendBefore(log, 'a');
      const second = await log.append(0, recordsOf('b', 'c'));
      expect(second.appendedAt).toBeGreaterThan(first.appendedAt);
      const instants = (await readAll(log, 'inbox', 0)).map(({ appendedAt }) => appendedAt);
      expect(instants).toEqual([first.appendedAt, second.appendedAt, second.appendedAt]);
      expect(Math.abs((await log.now()) - systemClock.now())).toBeLessThan(60_000);
    });

    it('stamps with what the log’s clock says, also where it steps back', async () => {
      const { log, setClock } = subject();
      if (setClock === undefined) return;
      await setClock(1_700_000_000_123);
      const first = await log.append(0, recordsOf('a', 'b'));
      await setClock(1_600_000_000_000);
      const second = await log.append(0, recordsOf('c'));
      expect([first.appendedAt, second.appendedAt]).toEqual([1_700_000_000_123, 1_600_000_000_000]);
      const instants = (await readAll(log, 'inbox', 0)).map(({ appendedAt }) => appendedAt);
      expect(instants).toEqual([1_700_000_000_123, 1_700_000_000_123, 1_600_000_000_000]);
      expect(await log.now()).toBe(1_600_000_000_000);
    });

    it.each([
      ['no bytes', new Uint8Array()],
      ['NUL and all other bytes', Uint8Array.from({ length: 256 }, (_, byte) => byte)],
      ['900 kB', Uint8Array.from({ length: 900_000 }, (_, index) => (index * 7919) >>> 3)],
    ])('keeps a value of %s', async (_, value) => {
      const { log } = subject();
      await log.append(0, [{ tenant: 'acme', value }]);
      const [record] = await log.read('inbox', 0, { from: 0, limit: 1 });
      expect(Buffer.from(record!.value).equals(value)).toBe(true);
    });

    it('keeps any tenant, and none', async () => {
      const { log } = subject();
      const tenants = ['acme', '', null, 'a\0b', '\ud800', 'x\udfff\\u0041"', '日本 🛫', "'; DROP", 'a\nb\\'];
      await log.append(
        0,
        tenants.map((tenant) => ({ tenant, value: bytesOf('v') })),
      );
      expect((await readAll(log, 'inbox', 0)).map(({ tenant }) => tenant)).toEqual(tenants);
    });

    it('leaves nothing of a batch that fails, and goes on after it', async () => {
      const { log, breakAppends, mendAppends } = subject();
      await log.append(0, recordsOf('before'));
      await breakAppends();
      await expect(log.append(0, recordsOf('a', 'b'))).rejects.toThrow();
      await mendAppends();
      expect((await log.bounds('inbox', 0)).end).toBe(1);
      const { offsets } = await log.append(0, recordsOf('after'));
      expect((await readAll(log, 'inbox', 0)).map(textOf)).toEqual(['before', 'after']);
      expect(offsets).toEqual([(await log.bounds('inbox', 0)).end - 1]);
    });

    it('refuses no records, and a partition that is not', async () => {
      const { log } = subject();
      await expect(log.append(0, [])).rejects.toThrow('at least one record');
      await expect(log.append(4, recordsOf('a'))).rejects.toThrow('partition 4');
      await expect(log.append(-1, recordsOf('a'))).rejects.toThrow('partition -1');
    });

    it('gives callers at the same time offsets of their own, each caller’s in its order', async () => {
      const { log } = subject();
      const callers = Array.from({ length: 50 }, (_, caller) => [`${caller}.0`, `${caller}.1`, `${caller}.2`]);
      const appended = await Promise.all(callers.map((texts) => log.append(2, recordsOf(...texts))));
      const read = await readAll(log, 'inbox', 2);
      expect(read).toHaveLength(150);
      appended.forEach(({ offsets }, caller) => {
        const own = read.filter(({ offset }) => offsets.includes(offset));
        expect(own.map(textOf)).toEqual(callers[caller]);
      });
    });

    it('shows a reader every record once and in order, while two processes append', async () => {
      const { log, other } = subject();
      const appendAll = async (writer: EventLog, name: string) => {
        for (let round = 0; round < 40; round += 1) {
          const batch = Array.from({ length: 1 + (round % 7) }, (_, nth) => `${name} ${round}.${nth}`);
          await Promise.all([writer.append(0, recordsOf(...batch)), writer.append(0, recordsOf(`${name} ${round}`))]);
        }
      };
      const state = { isDone: false };
      const writing = Promise.all([appendAll(log, 'log'), appendAll(other, 'other')]).finally(
        () => (state.isDone = true),
      );
      const offsets: number[] = [];
      for (;;) {
        const wasDone = state.isDone;
        const page = await other.read('inbox', 0, { from: (offsets.at(-1) ?? -1) + 1, limit: 10 });
        offsets.push(...page.map(({ offset }) => offset));
        if (wasDone && page.length === 0) break;
      }
      await writing;
      expect(offsets).toEqual((await readAll(log, 'inbox', 0)).map(({ offset }) => offset));
      const rounds = Array.from({ length: 40 }, (_, round) => 2 + (round % 7));
      expect(offsets).toHaveLength(2 * rounds.reduce((sum, count) => sum + count));
    });

    it('is refused as unavailable once the log is closed, as reading is', async () => {
      const { log } = subject();
      await log.close();
      await expect(log.append(0, recordsOf('a'))).rejects.toThrow(LogUnavailableError);
      await expect(log.read('inbox', 0, { from: 0, limit: 1 })).rejects.toThrow(LogUnavailableError);
      await expect(log.now()).rejects.toThrow(LogUnavailableError);
      await log.close();
    });

    it('is finished by closing', async () => {
      const { log, other } = subject();
      const appending = log.append(0, recordsOf('a'));
      await log.close();
      expect((await appending).offsets).toEqual([0]);
      if (other !== log) expect((await readAll(other, 'inbox', 0)).map(textOf)).toEqual(['a']);
    });
  });
}
