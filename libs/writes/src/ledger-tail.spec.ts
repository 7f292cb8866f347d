import { jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { encodeLedger, type LedgerWriter, LogUnavailableError, MemoryEventLog } from '#event-log';
import type { Event } from '#expectations';
import { systemClock } from '#runtime';
import { LedgerTail, type TailTicket } from './ledger-tail.ts';

const forever = 60_000;
const ignored = (why: string): Event => ({ type: 'inputIgnored', at: '2026-09-11T02:41:07Z', why });

Logger.overrideLogger(false);

describe('the tail of a ledger partition', () => {
  let log: MemoryEventLog;
  let tail: LedgerTail;
  let writer: LedgerWriter;

  beforeEach(async () => {
    log = new MemoryEventLog({ partitionCount: 1, clock: systemClock });
    tail = new LedgerTail(log, systemClock, 0);
    writer = await log.openWriter(0);
  });

  afterEach(async () => {
    await tail.close();
    await log.close();
  });

  const decide = (offset: number, whys: readonly string[], last = true, tenant = 'acme') => {
    const entry = { v: 1 as const, tenant, at: '2026-09-11T02:41:07Z', offset, n: 0, last, events: whys.map(ignored) };
    return writer.append([{ tenant, value: encodeLedger(entry) }]);
  };

  const whys = async (ticket: TailTicket, offsets: readonly number[], waitMs = forever) => {
    const write = await ticket.decisions('acme', offsets, waitMs);
    const said = offsets.map((offset) => write.events.get(offset)?.map((event) => 'why' in event && event.why));
    return write.isComplete ? said : undefined;
  };

  it('gives a write what is decided after its append', async () => {
    const ticket = await tail.join();
    const waiting = whys(ticket, [4]);
    await decide(3, ['other']);
    await decide(4, ['mine']);
    expect(await waiting).toEqual([['mine']]);
  });

  it('gives a write what was decided before its append was answered', async () => {
    const [slow, quick] = [await tail.join(), await tail.join()];
    await decide(4, ['slow']);
    await decide(5, ['quick']);
    expect(await whys(quick, [5])).toEqual([['quick']]);
    expect(await whys(slow, [4])).toEqual([['slow']]);
  });

  it('gathers the output of an input from all its records, of the own tenant alone', async () => {
    const waiting = whys(await tail.join(), [4, 5]);
    await decide(4, ['a'], false);
    await decide(4, ['theirs'], false, 'other');
    await decide(4, ['b'], false);
    await decide(5, ['theirs'], true, 'other');
    await decide(4, ['theirs'], true, 'other');
    expect(await waiting).toEqual([['a', 'b'], []]);
  });

  it('takes a position that moved over an input for its decision', async () => {
    const waiting = whys(await tail.join(), [4]);
    const moved = { v: 1 as const, type: 'positionMoved' as const, at: '', offset: 4, n: 0, last: true as const };
    await writer.append([{ tenant: null, value: encodeLedger(moved) }]);
    expect(await waiting).toEqual([[]]);
  });

  it('reads on after a record that is none', async () => {
    const waiting = whys(await tail.join(), [4]);
    await writer.append([{ tenant: null, value: new Uint8Array([0xff]) }]);
    await decide(4, ['mine']);
    expect(await waiting).toEqual([['mine']]);
  });

  it('gives up after the time that the write will wait', async () => {
    const ticket = await tail.join();
    await decide(4, ['half'], false);
    expect(await whys(ticket, [4], 0)).toBeUndefined();
  });

  it('reads once for all that wait, and not at all when none does', async () => {
    const read = jest.spyOn(log, 'read');
    const tickets = await Promise.all([tail.join(), tail.join(), tail.join()]);
    const waiting = tickets.map((ticket, index) => whys(ticket, [index]));
    for (const offset of [0, 1, 2]) await decide(offset, [`w${offset}`]);
    expect(await Promise.all(waiting)).toEqual([[['w0']], [['w1']], [['w2']]]);
    const readCount = read.mock.calls.length;
    expect(readCount).toBeLessThanOrEqual(5);
    await decide(3, ['nobody']);
    const later = await tail.join();
    expect(later.ledgerFrom).toBe(4);
    later.leave();
  });

  it('reads on when the log comes back', async () => {
    const ticket = await tail.join();
    jest.spyOn(log, 'read').mockRejectedValueOnce(new LogUnavailableError('gone'));
    const waiting = whys(ticket, [4]);
    await decide(4, ['mine']);
    expect(await waiting).toEqual([['mine']]);
  });

  it('lets nobody join while the end of the ledger cannot be read', async () => {
    jest.spyOn(log, 'bounds').mockRejectedValueOnce(new LogUnavailableError('gone'));
    await expect(tail.join()).rejects.toThrow(LogUnavailableError);
    const waiting = whys(await tail.join(), [4]);
    await decide(4, ['mine']);
    expect(await waiting).toEqual([['mine']]);
  });

  it('ends every wait when it closes', async () => {
    const waiting = whys(await tail.join(), [4]);
    await tail.close();
    expect(await waiting).toBeUndefined();
  });
});
