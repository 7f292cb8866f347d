/** @jest-environment ./test/system/failure-keeping-environment.mjs */
import { parsePosition } from '#event-log';
import { DistributedWatcher } from './distributed.ts';
import { describeStoppedOverADeadline, type Interrupted } from './stopped-over-a-deadline.ts';

/** Nobody decides; the other apps go on. */
async function withoutTimekeeper(): Promise<Interrupted> {
  const watcher = await DistributedWatcher.create();
  return {
    watcher,
    tellUndecided: async (fact) => {
      await watcher.process('timekeeper-1').stop();
      const body = await watcher.callText('POST', '/v1/facts', fact, { prefer: 'wait=0' });
      const { partition, offset } = parsePosition((JSON.parse(body) as { readonly position: string }).position)!;
      const [record] = await watcher.withLog((log) => log.read('inbox', partition, { from: offset, limit: 1 }));
      expect(record).toMatchObject({ offset });
      return record!.appendedAt;
    },
    goOn: () => watcher.start(),
  };
}

describe('a timekeeper that is stopped over a deadline, on Kafka', () =>
  describeStoppedOverADeadline(withoutTimekeeper));
