// An agent that keeps its own time, from a journal that is compacted again and again.
import { EXTENSION_URI } from '#protocol';
import { ManualClock } from '#testing';
import { expectations, type Expectations } from './expectations.ts';
import { type LapseTasks, SelfTiming } from './self-timing.ts';
import { type Checkpoint, MemoryJournal, type TimingJournal } from './timing-journal.ts';

const definition = {
  lapseSkill: 'handle_lapse',
  keepsTime: true,
  kinds: { manifest: { subjectType: 'shipment', describes: 'the manifest of a shipment', basis: 'observed' } },
} as const;

let clock: ManualClock;
let desk: Expectations<'manifest'>;
let lapsed: string[];
const lapseTasks: LapseTasks = {
  submit: async ({ message }) => {
    lapsed.push(message.messageId);
    return message.messageId;
  },
  find: async () => undefined,
};

beforeEach(begin);

function begin(): void {
  clock = new ManualClock(Date.parse('2026-09-10T12:00:00Z'));
  desk = expectations(definition, clock);
  lapsed = [];
}

/** A finished task that wants a manifest within an hour. */
function booked(subject: string): object {
  const of = { id: `task-${subject}`, contextId: 'ctx-1', status: { state: 'TASK_STATE_COMPLETED' } };
  const block = desk.inTask({ taskId: of.id, contextId: of.contextId, isActivated: true });
  block.expect('manifest', { subject, due: { in: 'PT1H' }, expectationId: `exp-${subject}` });
  return { ...of, artifacts: [block.on({ artifactId: 'a' })] };
}

/** Its checkpoints are JSON, as those of a file are. */
class CompactedJournal extends MemoryJournal {
  checkpointsCount = 0;
  bytes = 0;

  override get isGrown(): boolean {
    return this.inputs.length > 20;
  }

  override compact = async (checkpoint: Checkpoint): Promise<void> => {
    this.checkpointsCount += 1;
    const json = JSON.stringify(checkpoint);
    this.bytes = json.length;
    this.kept = JSON.parse(json) as Checkpoint;
    this.inputs.length = 0;
  };
}

describe('a journal that is compacted', () => {
  /** What lapses where every third manifest comes late, and every tenth never; with a restart each day. */
  async function daysOf(journal: TimingJournal): Promise<readonly string[]> {
    begin();
    for (let day = 0; day < 3; day += 1) {
      const timing = await SelfTiming.open(desk, { journal, lapseTasks, clock });
      const stopping = new AbortController();
      const ended = timing.run(stopping.signal);
      for (let count = 0; count < 20; count += 1) {
        const subject = `PA-${day}-${count}`;
        await timing.see({ task: booked(subject) });
        await clock.advance(count % 3 === 0 ? 3_600_001 : 60_000);
        if (count % 10 === 0) continue;
        const observedAt = new Date(clock.now()).toISOString();
        const facts = [{ factKey: `manifest:${subject}`, observedAt, source: 'carrier' }];
        await timing.takeFacts({ metadata: { [EXTENSION_URI]: { facts } } }, 'carrier');
      }
      stopping.abort();
      await ended;
      await clock.advance(3_600_000);
    }
    return lapsed;
  }

  it('decides as one that is not, over restarts, and has no more than what is open and remembered', async () => {
    const [compacted, plain] = [new CompactedJournal(), new MemoryJournal()];
    const told = await daysOf(compacted);
    expect(told).toEqual(await daysOf(plain));
    expect(new Set(told).size).toBe(told.length);
    // Seven a day come late, and some of those that never come are due after the last day.
    expect(told.length).toBeGreaterThan(3 * 6);
    expect(compacted.checkpointsCount).toBeGreaterThan(3);
    expect(compacted.bytes).toBeLessThan(JSON.stringify(plain.inputs).length / 2);
  });

  it('that cannot be compacted is told of, and nothing is lost by it', async () => {
    const faults: unknown[] = [];
    const { read, append } = new MemoryJournal();
    const full = { read, append, isGrown: true, compact: () => Promise.reject(new Error('no room')) };
    const onJournalFault = (fault: unknown): void => void faults.push(fault);
    const timing = await SelfTiming.open(desk, { journal: full, lapseTasks, clock, onJournalFault });
    const decided = await timing.see({ task: booked('PA-1') });
    expect(decided.map(({ type }) => type)).toContain('expectationRecorded');
    expect(faults).toHaveLength(2);
  });

  it('of a version that is not known is not taken up', async () => {
    const { append, compact } = new MemoryJournal();
    const read = async () => ({ checkpoint: { v: 2 } as unknown as Checkpoint, inputs: [] });
    const later = { read, append, compact, isGrown: false };
    await expect(SelfTiming.open(desk, { journal: later, lapseTasks, clock })).rejects.toThrow('of version 2');
  });
});
