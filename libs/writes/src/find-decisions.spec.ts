import { encodeLedger, MemoryEventLog } from '#event-log';
import { systemClock } from '#runtime';
import { findDecisions } from './find-decisions.ts';

describe('decisions of long ago', () => {
  const log = new MemoryEventLog({ partitionCount: 1, clock: systemClock });

  beforeAll(async () => {
    const writer = await log.openWriter(0);
    const entry = (offset: number, n: number, last: boolean) => ({
      tenant: 'acme',
      value: encodeLedger({
        ...{ v: 1, tenant: 'acme', at: '', offset, n, last },
        events: [{ type: 'inputIgnored', at: '', why: `${offset}.${n}` }],
      }),
    });
    const started = { v: 1 as const, type: 'writerStarted' as const, deployment: 'd', epoch: 1 };
    for (let offset = 0; offset < 3_000; offset += 1) {
      if (offset % 100 === 0) await writer.append([{ tenant: null, value: encodeLedger(started) }]);
      await writer.append([entry(offset, 0, false), entry(offset, 1, true)]);
    }
    await writer.append([entry(3_000, 0, false)]);
  });

  afterAll(() => log.close());

  const find = async (offsets: readonly number[], ledgerFrom = 0) => {
    const write = await findDecisions(log, 0, 'acme', offsets, ledgerFrom);
    const whys = offsets.map((offset) => write.events.get(offset)?.map((event) => 'why' in event && event.why));
    return { isComplete: write.isComplete, whys };
  };

  it.each([0, 1, 99, 100, 101, 1_500, 2_999])('are found whole for the input at %d', async (offset) => {
    expect(await find([offset])).toEqual({ isComplete: true, whys: [[`${offset}.0`, `${offset}.1`]] });
  });

  it('are found for all records of a write', async () => {
    expect((await find([700, 701, 1_200])).whys.flat()).toEqual([
      '700.0',
      '700.1',
      '701.0',
      '701.1',
      '1200.0',
      '1200.1',
    ]);
  });

  it('are not complete while an input is half decided, or not at all', async () => {
    expect(await find([3_000])).toEqual({ isComplete: false, whys: [['3000.0']] });
    expect(await find([9_000], 6_000)).toEqual({ isComplete: false, whys: [[]] });
  });
});
