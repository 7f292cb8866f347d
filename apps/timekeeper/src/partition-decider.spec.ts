// One partition decided, record by record: order, instants, numbering, and what cannot be read.
import { encodeInbox, type LedgerEntry, type LogRecord, type NewRecord, type UntimedInput } from '#event-log';
import { formatInstant } from '#expectations';
import { declared, inboxRecord, raised, reported } from '#testing';
import { cut } from './decided-run.ts';
import { PartitionDecider } from './partition-decider.ts';

const start = Date.parse('2026-09-01T00:00:00Z');
const tick: NewRecord = { tenant: null, value: encodeInbox({ type: 'tick' }) };

/** Milliseconds since the beginning, as the ledger writes them. */
const at = (ms: number): string => formatInstant(start + ms);

/** Tells a decider records, each at so many milliseconds after the beginning. */
class Told {
  readonly decider = new PartitionDecider();
  private next = 0;

  tell(ms: number, record: NewRecord): LedgerEntry[] {
    const stamped = this.stamped(ms, record);
    return [...cut(stamped.offset, this.decider.decide(stamped))];
  }

  input(ms: number, tenant: string, input: UntimedInput): LedgerEntry[] {
    return this.tell(ms, inboxRecord(tenant, input));
  }

  stamped(ms: number, record: NewRecord): LogRecord {
    const offset = this.next;
    this.next += 1;
    return { ...record, offset, appendedAt: start + ms };
  }

  /** A tenant with one expectation that is due so many milliseconds after the beginning. */
  due(tenant: string, ms: number, id = 'e'): void {
    this.input(0, tenant, declared());
    this.input(0, tenant, raised({ id, dueAtMs: start + ms }));
  }
}

const typesOf = ({ events }: LedgerEntry): string[] => events.map(({ type }) => type);

describe('deadlines of all tenants', () => {
  it('fire at any input after them, whoever it is of, and lapse at its instant', () => {
    const told = new Told();
    told.due('acme', 1_000);
    expect(told.input(1_000, 'other', declared())).toMatchObject([{ tenant: 'other', last: true }]);
    const entries = told.input(1_500, 'other', declared());
    expect(entries).toMatchObject([
      { tenant: 'acme', at: at(1_500), offset: 3, n: 0, last: false, events: [{ type: 'expectationLapsed' }] },
      { tenant: 'other', at: at(1_500), offset: 3, n: 1, last: true, events: [{ type: 'agentDeclared' }] },
    ]);
    expect(entries[0]?.events[0]).toMatchObject({ at: at(1_500), lapse: { lapsedAt: at(1_500), dueAt: at(1_000) } });
  });

  it('fire strictly after their instant', () => {
    const told = new Told();
    told.due('acme', 1_000);
    expect(told.tell(1_000, tick)).toEqual([]);
    expect(told.tell(1_001, tick)).toMatchObject([{ tenant: 'acme', events: [{ type: 'expectationLapsed' }] }]);
  });

  it('advance their tenants in the order of each first deadline, then of the names by code points', () => {
    const told = new Told();
    told.due('zeta', 2_000);
    told.due('\u{1f4e6}', 3_000);
    told.due('\uff5e', 3_000);
    told.due('beta', 3_000);
    told.due('alpha', 4_000);
    told.input(0, 'alpha', raised({ id: 'first', dueAtMs: start + 1_000 }));
    told.due('later', 9_000);
    const entries = told.tell(5_000, tick);
    expect(entries.map(({ tenant }) => tenant)).toEqual(['alpha', 'zeta', 'beta', '\uff5e', '\u{1f4e6}']);
    expect(entries[0]).toMatchObject({ events: [{ expectationId: 'first' }, { expectationId: 'e' }] });
  });

  it('fire before the input itself is applied, also where it would have satisfied what they were of', () => {
    const told = new Told();
    told.due('acme', 1_000);
    const entries = told.input(1_001, 'acme', reported(start + 900, 'e'));
    expect(entries.map(typesOf)).toEqual([
      ['expectationLapsed'],
      ['factRecorded', 'expectationSatisfied', 'dispatchVoided'],
    ]);
  });

  it('fire once', () => {
    const told = new Told();
    told.due('acme', 1_000);
    told.tell(2_000, tick);
    expect(told.tell(3_000, tick)).toEqual([]);
  });

  it('are known by the earliest, whatever has moved it', () => {
    const told = new Told();
    const { tenants } = told.decider;
    expect(tenants.earliestDeadline()).toBeUndefined();
    told.due('acme', 5_000);
    told.due('other', 3_000);
    expect(tenants.earliestDeadline()).toBe(start + 3_000);
    told.input(1_000, 'acme', raised({ id: 'sooner', dueAtMs: start + 2_000 }));
    expect(tenants.earliestDeadline()).toBe(start + 2_000);
    told.input(1_000, 'acme', reported(start, 'sooner'));
    expect(tenants.earliestDeadline()).toBe(start + 3_000);
    told.input(1_000, 'other', reported(start, 'e'));
    expect(tenants.earliestDeadline()).toBe(start + 5_000);
    told.input(1_000, 'acme', reported(start, 'e'));
    expect(tenants.earliestDeadline()).toBeUndefined();
  });
});

describe('time', () => {
  it('is the append instant, and never goes back', () => {
    const told = new Told();
    told.due('acme', 5_000);
    told.tell(4_000, tick);
    expect(told.input(1_000, 'other', declared())).toMatchObject([{ at: at(4_000), events: [{ at: at(4_000) }] }]);
    expect(told.decider.place.nowMs).toBe(start + 4_000);
    expect(told.tell(2_000, tick)).toEqual([]);
    expect(told.tell(5_001, tick)).toMatchObject([{ tenant: 'acme', at: at(5_001) }]);
  });

  it('is one for all tenants of the partition', () => {
    const told = new Told();
    told.input(9_000, 'acme', declared());
    told.input(0, 'other', declared());
    const entries = told.input(0, 'other', raised({ id: 'e', dueAtMs: start + 8_999 }));
    expect(entries.map(typesOf)).toEqual([['expectationRecorded', 'expectationLapsed']]);
  });
});

describe('what an input writes', () => {
  it('is nothing for a tick that decides nothing, and the next input is known all the same', () => {
    const told = new Told();
    expect(told.tell(0, tick)).toEqual([]);
    expect(told.tell(9_000, tick)).toEqual([]);
    expect(told.decider.place.nextOffset).toBe(2);
    expect(told.decider.place.nowMs).toBe(start + 9_000);
  });

  it('is its outcome also where it changes nothing', () => {
    const told = new Told();
    const entries = told.input(0, 'acme', { type: 'factsReported', reporter: 'tower', facts: [] });
    expect(entries).toMatchObject([
      { tenant: 'acme', offset: 0, n: 0, last: true, events: [{ type: 'inputIgnored' }] },
    ]);
  });

  it('is cut into runs of one tenant and at most 2,000 events, numbered over all of them', () => {
    const told = new Told();
    for (const tenant of ['a', 'b']) {
      told.input(0, tenant, declared());
      const ids = Array.from({ length: 125 }, (_, nth) => ({ id: String(nth), dueAtMs: start + 1_000 }));
      told.input(0, tenant, raised(...ids));
    }
    const entries = told.input(2_000, 'b', declared());
    expect(entries.map(({ tenant, n, last, events }) => [tenant, n, events.length, last])).toEqual([
      ['a', 0, 50, false],
      ['a', 50, 50, false],
      ['a', 100, 25, false],
      ['b', 125, 50, false],
      ['b', 175, 50, false],
      ['b', 225, 25, false],
      ['b', 250, 1, true],
    ]);
    expect(new Set(entries.map(({ offset, at: instant }) => `${offset} ${instant}`)).size).toBe(1);
  });

  it('ends with its last record where that is exactly full', () => {
    const told = new Told();
    told.input(0, 'a', declared());
    const ids = Array.from({ length: 50 }, (_, nth) => ({ id: String(nth), dueAtMs: start + 1_000 }));
    told.input(0, 'a', raised(...ids));
    expect(told.tell(2_000, tick)).toMatchObject([{ n: 0, last: true }]);
  });
});

describe('a record that cannot be told to the core', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  const input = (value: object): Uint8Array => bytes(JSON.stringify({ v: 1, input: value }));
  const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

  it.each<[string, Uint8Array, string]>([
    ['no JSON', bytes('{'), 'undecodable: '],
    ['no UTF-8', new Uint8Array([0x22, 0xff, 0x22]), 'undecodable: '],
    ['nothing', new Uint8Array(), 'undecodable: '],
    ['another version', bytes('{"v":2,"input":{"type":"tick"}}'), 'undecodable: '],
    ['no input', bytes('{"v":1}'), 'undecodable: '],
    ['a list for an input', bytes('{"v":1,"input":[]}'), 'undecodable: '],
    ['an unknown type', input({ type: 'reminderInjected' }), 'unreadable: type'],
    ['a type that every object has', input({ type: 'constructor' }), 'unreadable: type'],
    ['the type of a prototype', input({ type: '__proto__' }), 'unreadable: type'],
    ['a missing agent', input({ type: 'agentDeclared', params: {} }), 'unreadable: agentId'],
    ...['', 'x\0', 'x\ud800', 'x'.repeat(3_000)].map((taskId): [string, Uint8Array, string] => [
      `a task that no store can name, ${JSON.stringify(taskId.slice(0, 3))}`,
      input({
        ...{ type: 'dispatchAcknowledged', agentId: 'a', expectationId: 'e', lapse: 'overdue', attempt: 1 },
        taskId,
      }),
      'unreadable: taskId',
    ]),
    ['facts that are no list', input({ type: 'factsReported', reporter: 'r', facts: {} }), 'unreadable: facts'],
    [
      'an attempt that is no count',
      input({ type: 'dispatchAttempted', agentId: 'a', expectationId: 'e', lapse: 'overdue', attempt: 0.5 }),
      'unreadable: attempt',
    ],
    [
      'no depth that can be written again',
      bytes(`{"v":1,"input":{"type":"agentDeclared","agentId":"a","params":${deep}}}`),
      'unreadable: ',
    ],
    [
      'a number that is none when written again',
      bytes(`{"v":1,"input":{"type":"factReported","reporter":"r","fact":{"n":1e999}}}`),
      'unreadable: ',
    ],
  ])('says so in the ledger and stops nobody: %s', (_, value, why) => {
    const told = new Told();
    told.due('acme', 1_000);
    expect(told.tell(2_000, { tenant: 'other', value })).toMatchObject([
      { tenant: 'acme', last: false, events: [{ type: 'expectationLapsed' }] },
      {
        ...{ tenant: 'other', offset: 2, n: 1, last: true },
        events: [{ type: 'inputIgnored', at: at(2_000), why: expect.stringContaining(why) }],
      },
    ]);
    expect(told.input(3_000, 'other', declared()).map(typesOf)).toEqual([['agentDeclared']]);
  });

  it('is of no tenant: it is time passing and no more', () => {
    const told = new Told();
    expect(told.tell(0, { tenant: null, value: bytes('{') })).toEqual([]);
    expect(told.decider.place.nextOffset).toBe(1);
  });

  it('never takes its tenant or its instant from what it says', () => {
    const told = new Told();
    const lying = Object.assign(declared(), { tenant: 'victim', at: '2020-01-01T00:00:00Z' });
    const entries = told.input(1_000, 'acme', lying);
    expect(entries).toMatchObject([
      { tenant: 'acme', at: at(1_000), events: [{ type: 'agentDeclared', at: at(1_000) }] },
    ]);
    expect(told.decider.tenants.count).toBe(1);
  });
});
