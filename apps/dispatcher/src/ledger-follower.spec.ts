import { jest } from '@jest/globals';
import { type EventLog, MemoryEventLog } from '#event-log';
import { systemClock } from '#runtime';
import { dispatchVoided, expectationLapsed, expectationSatisfied, LedgerScript } from '#testing';
import { LedgerFollower } from './ledger-follower.ts';
import type { LedgerChange } from './outbox/ledger-change.ts';
import type { Outbox } from './outbox/outbox.ts';

const never = new AbortController().signal;

describe('following a ledger', () => {
  it('hands on what matters to the outbox, with the position, and skips the rest', async () => {
    const log = new MemoryEventLog({ clock: systemClock, partitionCount: 1 });
    const script = new LedgerScript(log);
    await script.decided('acme', expectationLapsed(), expectationLapsed({ selfTimed: true }));
    await script.decided('acme', expectationSatisfied(), dispatchVoided());
    const followed: [readonly LedgerChange['type'][], number][] = [];
    const follower = followerOf(log, followed);
    await follower.pass(never);
    expect(followed).toEqual([[['lapsed', 'voided'], 2]]);
    await follower.caughtUp(never);
    await log.close();
  });

  it("has caught up where the log's end lies past its last record", async () => {
    const log = new MemoryEventLog({ clock: systemClock, partitionCount: 1 });
    jest.spyOn(log, 'bounds').mockResolvedValue({ earliest: 0, end: 7 });
    const follower = followerOf(log, []);
    const caughtUp = follower.caughtUp(never);
    await follower.pass(AbortSignal.abort());
    await caughtUp;
    await log.close();
  });
});

function followerOf(log: EventLog, followed: unknown[]): LedgerFollower {
  const outbox = {
    nextOffset: async () => 0,
    follow: async (changes: readonly LedgerChange[], next: number) => {
      followed.push([changes.map(({ type }) => type), next]);
    },
  } as unknown as Outbox;
  return new LedgerFollower(0, { log, outbox, clock: systemClock }, () => undefined);
}
