// Faults planted in the timekeeper and the log below it: what the simulation is there to find.
import type { Mutant } from '../../mutants/mutant.ts';

export const ofTimekeeper: readonly Mutant[] = [
  {
    name: 'what is written of an input is written again',
    file: 'apps/timekeeper/src/begun-output.ts',
    find: '    this.entries.shift();\n    return undefined;',
    replace: '    this.entries.shift();\n    return entry;',
  },
  {
    name: 'an input of which something is written is taken to be decided',
    file: 'apps/timekeeper/src/recovery.ts',
    find: 'if (entry.last) decider.fold(begun.take());',
    replace: 'decider.fold(begun.take());',
  },
  {
    name: 'the position of the ledger is read one too far',
    file: 'apps/timekeeper/src/recovery.ts',
    find: 'from = last.offset + 1;',
    replace: 'from = last.offset + (from > 0 ? 2 : 1);',
  },
  {
    name: 'the position of the inbox is read one too near',
    file: 'apps/timekeeper/src/partition-place.ts',
    find: 'this.next = offset + 1;',
    replace: 'this.next = offset;',
  },
  {
    name: 'the instants of the log may go back',
    file: 'apps/timekeeper/src/partition-place.ts',
    find: '(this.now = Math.max(this.now, this.stampOf(record)))',
    replace: '(this.now = this.stampOf(record))',
  },
  {
    name: 'an input is decided before the deadlines that have passed',
    file: 'apps/timekeeper/src/partition-decider.ts',
    find: 'of this.tenants.dueBefore(this.place.nowMs)) {',
    replace: 'of record.tenant === null ? this.tenants.dueBefore(this.place.nowMs) : []) {',
  },
  {
    name: 'after a fault what was in memory before it is taken for the ledger’s fold',
    file: 'apps/timekeeper/src/partition-loop.ts',
    find: 'const recovered = await recover({ log, snapshots, partition, core }, signal);',
    replace:
      'const recovered = ((this as { kept?: Recovered }).kept ??= await recover({ log, snapshots, partition, core }, signal));',
  },
  {
    name: 'a snapshot says that it has one record more',
    file: 'apps/timekeeper/src/snapshotting.ts',
    find: 'store.save(partition, completeOffset,',
    replace: 'store.save(partition, completeOffset + 1,',
  },
  {
    name: 'no tick is sent where a deadline has passed',
    file: 'apps/timekeeper/src/turns.ts',
    find: 'if (ticker.untilTick(decider.tenants.earliestDeadline()) > 0) return;',
    replace: "return log.waitFor('inbox', partition, decider.place.nextOffset, 60_000);",
  },
  {
    name: 'who is fenced appends all the same',
    file: 'libs/event-log/src/memory/memory-event-log.ts',
    find: 'if (this.#epochs[partition] !== epoch)',
    replace: 'if (epoch === 0)',
  },
];
