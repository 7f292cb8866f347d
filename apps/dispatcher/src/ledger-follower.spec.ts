import { jest } from '@jest/globals';
import { type EventLog, MemoryEventLog } from '#event-log';
import { systemClock } from '#runtime';
import { dispatchVoided, expectationLapsed, expectationSatisfied, LedgerScript } from '#testing';
import { type FollowerPorts, LedgerFollower, type Teller } from './ledger-follower.ts';

const never = new AbortController().signal;

interface Given {
  readonly nextOffset?: number;
  readonly outboxFrom?: number;
  readonly noticesFrom?: number;
  readonly people?: Teller;
}

let log: EventLog;
/** What was written, run by run. */
let written: { readonly changes: readonly string[]; readonly next: number; readonly from?: number }[];
/** What is thrown for the next runs once they are written. */
let faults: Error[];
/** The changes that were told of. */
let changed: string[];

beforeEach(() => {
  log = new MemoryEventLog({ clock: systemClock, partitionCount: 1 });
  [written, faults, changed] = [[], [], []];
});
afterEach(() => log.close());

function followerOf({ people, ...given }: Given = {}): LedgerFollower {
  const positions = { nextOffset: 0, outboxFrom: 0, noticesFrom: 0, since: new Date(0), ...given };
  const outbox: FollowerPorts['outbox'] = {
    ownership: { followed: async () => ({ ...positions, nextOffset: written.at(-1)?.next ?? positions.nextOffset }) },
    follow: async (changes, next, _, alongside) => {
      written.push({ changes: changes.map(({ type }) => type), next, ...(alongside && { from: alongside.from }) });
      const fault = faults.shift();
      if (fault !== undefined) throw fault;
    },
  };
  return new LedgerFollower(0, { log, outbox, clock: systemClock, people }, ({ type }) => changed.push(type));
}

/** Notes what it is told, and has something to write where anything lapsed. */
function listener(): { readonly heard: string[]; writtenCount: number; readonly people: Teller } {
  const listening = {
    heard: [] as string[],
    writtenCount: 0,
    people: {
      gather: async (told: Parameters<Teller['gather']>[0]) => {
        listening.heard.push(...told.map(({ tenant, event }) => `${tenant} ${event.type}`));
        if (!told.some(({ event }) => event.type === 'expectationLapsed')) return undefined;
        return { write: async () => undefined, written: () => void (listening.writtenCount += 1) };
      },
    },
  };
  return listening;
}

describe('following a ledger', () => {
  it('hands on what matters to the outbox, with the position, and skips the rest', async () => {
    const script = new LedgerScript(log);
    await script.decided('acme', expectationLapsed(), expectationLapsed({ selfTimed: true }));
    await script.decided('acme', expectationSatisfied(), dispatchVoided());
    const follower = followerOf();
    await follower.pass(never);
    expect(written).toEqual([{ changes: ['lapsed', 'voided'], next: 2 }]);
    await follower.caughtUp(never);
  });

  it('tells people of the same run, also of what means nothing to the outbox, once it is written', async () => {
    const script = new LedgerScript(log);
    await script.decided('acme', expectationLapsed({ selfTimed: true }));
    const { heard, people } = listener();
    await followerOf({ people }).pass(never);
    expect(heard).toEqual(['acme expectationLapsed']);
    expect(written).toEqual([{ changes: [], next: 1, from: 0 }]);
  });

  it('leaves out for each what it has already, where one was ahead', async () => {
    const script = new LedgerScript(log);
    for (const tenant of ['a', 'b', 'c', 'd']) await script.decided(tenant, expectationLapsed());
    const behind = listener();
    await followerOf({ nextOffset: 1, outboxFrom: 3, noticesFrom: 1, people: behind.people }).pass(never);
    expect(behind.heard).toEqual(['b expectationLapsed', 'c expectationLapsed', 'd expectationLapsed']);
    expect(written).toEqual([{ changes: ['lapsed'], next: 4, from: 1 }]);
    written = [];
    const ahead = listener();
    await followerOf({ nextOffset: 1, outboxFrom: 1, noticesFrom: 3, people: ahead.people }).pass(never);
    expect(ahead.heard).toEqual(['d expectationLapsed']);
    expect(written).toEqual([{ changes: ['lapsed', 'lapsed', 'lapsed'], next: 4, from: 1 }]);
  });

  it('asks anew where to read on after a fault, and tells of the run then: it may have been written', async () => {
    const script = new LedgerScript(log);
    await script.decided('acme', expectationLapsed());
    faults.push(new Error('the connection was lost'));
    const listening = listener();
    const follower = followerOf({ people: listening.people });
    await expect(follower.pass(never)).rejects.toThrow('lost');
    expect([follower.nextOffset, changed, listening.writtenCount]).toEqual([undefined, [], 0]);
    await script.decided('umbrella', expectationLapsed());
    await follower.pass(never);
    expect([changed, listening.writtenCount]).toEqual([['lapsed', 'lapsed'], 2]);
    expect(listening.heard).toEqual(['acme expectationLapsed', 'umbrella expectationLapsed']);
    expect(written.map(({ next, from }) => [from, next])).toEqual([
      [0, 1],
      [1, 2],
    ]);
  });

  it("has caught up where the log's end lies past its last record", async () => {
    jest.spyOn(log, 'bounds').mockResolvedValue({ earliest: 0, end: 7 });
    const follower = followerOf();
    const caughtUp = follower.caughtUp(never);
    await follower.pass(AbortSignal.abort());
    await caughtUp;
  });
});
