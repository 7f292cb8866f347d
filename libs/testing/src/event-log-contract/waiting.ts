// The contract of waiting: a wake-up comes, whoever appended.
import { type EventLogSubject, recordsOf } from './subject.ts';

const longMs = 600_000;

export function describeWaiting(subject: () => EventLogSubject): void {
  describe('waiting for a record', () => {
    it('ends at once where it is there already', async () => {
      const { log } = subject();
      await log.append(0, recordsOf('a'));
      await log.waitFor('inbox', 0, 0, longMs);
    });

    it('ends when it arrives, by this process or another', async () => {
      const { log, other } = subject();
      const here = log.waitFor('inbox', 0, 1, longMs);
      const there = other.waitFor('inbox', 0, 1, longMs);
      await log.append(0, recordsOf('a', 'b'));
      await Promise.all([here, there]);
      const next = log.waitFor('inbox', 0, 2, longMs);
      await other.append(0, recordsOf('c'));
      await next;
    });

    it('ends when the ledger grows', async () => {
      const { log, other } = subject();
      const writer = await log.openWriter(2, 'first');
      const waiting = other.waitFor('ledger', 2, 0, longMs);
      await writer.append(recordsOf('decided'));
      await waiting;
    });

    it('goes on while only other partitions, or records before it, arrive', async () => {
      const { log } = subject();
      let isOver = false;
      const stop = new AbortController();
      const waiting = log.waitFor('inbox', 0, 1, longMs, stop.signal).then(() => (isOver = true));
      await log.append(1, recordsOf('a', 'b'));
      await log.append(0, recordsOf('a'));
      await log.bounds('inbox', 0);
      expect(isOver).toBe(false);
      stop.abort();
      await waiting;
    });

    it('ends after the time given, with nothing', async () => {
      const { log } = subject();
      await log.waitFor('inbox', 0, 0, 10);
      await log.waitFor('inbox', 0, 0, 0);
      expect(await log.read('inbox', 0, { from: 0, limit: 1 })).toEqual([]);
    });

    it('ends when it is aborted, before or while it waits', async () => {
      const { log } = subject();
      const stop = new AbortController();
      const waiting = log.waitFor('inbox', 0, 0, longMs, stop.signal);
      stop.abort();
      await waiting;
      await log.waitFor('inbox', 0, 0, longMs, stop.signal);
    });

    it('ends when the log is closed', async () => {
      const { log } = subject();
      const waiting = log.waitFor('inbox', 0, 0, longMs);
      await log.close();
      await waiting;
    });
  });
}
