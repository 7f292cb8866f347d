import { Hold } from './hold.ts';
import { describeStoppedOverADeadline, type Interrupted } from './stopped-over-a-deadline.ts';
import { Watcher } from './watcher.ts';

/** Killed with a fact appended, before anybody could decide it. */
async function interruptedAfterAppend(): Promise<Interrupted> {
  const watcher = await Watcher.create();
  return {
    watcher,
    tellUndecided: async (fact) => {
      const hold = await Hold.connect(watcher);
      const [unanswered] = await Promise.all([
        watcher.call('POST', '/v1/facts', fact).catch((error: unknown) => error),
        hold.afterAppend().then(() => watcher.kill()),
      ]);
      expect(String(unanswered)).toContain('fetch failed');
      const { rows } = await hold.client.query<{ appended_at: string }>(
        `SELECT appended_at FROM duewatch_log.inbox
         WHERE convert_from(value, 'UTF8') LIKE '%"factKey":"in-time"%'
           AND convert_from(value, 'UTF8') LIKE '%factsReported%'`,
      );
      await hold.release();
      expect(rows).toHaveLength(1);
      return Number(rows[0]?.appended_at);
    },
    goOn: () => watcher.start(),
  };
}

describe('a watcher that is killed over a deadline, in one process', () =>
  describeStoppedOverADeadline(interruptedAfterAppend));
