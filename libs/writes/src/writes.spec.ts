// What is in the log and not decided is bounded, a tenant at a time, whether anybody waits for it or not.
import { jest } from '@jest/globals';
import { LogUnavailableError, MemoryEventLog } from '#event-log';
import { systemClock } from '#runtime';
import { CoreDecider } from '#testing';
import type { WriteAnswer } from './answers/write-answer.ts';
import type { UnansweredWrites } from './unanswered-writes.ts';
import { Writes } from './writes.ts';

const unanswered = { keep: async () => undefined } as unknown as UnansweredWrites;

describe('what a tenant has undecided', () => {
  let log: MemoryEventLog;
  let decider: CoreDecider;
  let writes: Writes;

  beforeEach(() => {
    log = new MemoryEventLog({ partitionCount: 1, clock: systemClock });
    decider = new CoreDecider(log);
    decider.start();
    const shares = { tenantBytes: 1_000, tenantCount: 3, allBytes: 2_500, allCount: 5 };
    writes = new Writes(log, systemClock, unanswered, shares);
  });
  afterEach(async () => {
    await decider.stop();
    await writes.onModuleDestroy();
    await log.close();
  });

  const report = (tenant: string, waitMs: number, note = '') =>
    writes.submit({
      tenant,
      inputs: [
        { type: 'factsReported', reporter: 'r', facts: [{ factKey: 'k', observedAt: '2026-09-01T00:00:00Z', note }] },
      ],
      plan: { kind: 'facts', single: true, facts: [{ record: 0, place: 0 }] },
      waitMs,
    });
  const untilTaken = async (tenant: string): Promise<WriteAnswer> => {
    for (;;) {
      const answer = await report(tenant, 60_000).catch(
        () => new Promise<undefined>((done) => setImmediate(() => done(undefined))),
      );
      if (answer !== undefined) return answer;
    }
  };
  const refused = (type: string) => expect.objectContaining({ type }) as Error;

  it('is bounded in number, and another is taken once it is decided, though nobody waits', async () => {
    const resume = decider.pause();
    for (let count = 0; count < 3; count += 1) expect((await report('acme', 0)).kind).toBe('undecided');
    await expect(report('acme', 0)).rejects.toEqual(refused('tenant-overloaded'));
    expect((await report('globex', 0)).kind).toBe('undecided');
    expect((await report('globex', 0)).kind).toBe('undecided');
    await expect(report('initech', 0)).rejects.toEqual(refused('overloaded'));
    resume();
    expect((await untilTaken('acme')).kind).toBe('taken');
  });

  it('is bounded in bytes', async () => {
    const resume = decider.pause();
    expect((await report('acme', 0, 'x'.repeat(600))).kind).toBe('undecided');
    await expect(report('acme', 0, 'x'.repeat(600))).rejects.toEqual(refused('tenant-overloaded'));
    expect(() => writes.assertRoom('acme', 600)).toThrow(refused('tenant-overloaded'));
    writes.assertRoom('acme', 100);
    writes.assertRoom('globex', 600);
    expect((await report('globex', 0, 'x'.repeat(600))).kind).toBe('undecided');
    resume();
  });

  it('counts no more once it is decided, or was never appended', async () => {
    for (let count = 0; count < 10; count += 1) expect((await report('acme', 60_000)).kind).toBe('taken');
    jest.spyOn(log, 'append').mockRejectedValue(new LogUnavailableError('gone'));
    for (let count = 0; count < 10; count += 1) {
      await expect(report('acme', 0)).rejects.toThrow(
        expect.objectContaining({ name: 'LogUnavailableError' }) as Error,
      );
    }
  });
});
