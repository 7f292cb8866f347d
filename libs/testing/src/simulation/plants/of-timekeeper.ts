// Faults planted in the timekeeper and the log below it: what the simulation is there to find.
import type { Mutant } from '../../mutants/mutant.ts';

export const ofTimekeeper: readonly Mutant[] = [
  {
    name: 'what is written of an input is written again',
    file: 'apps/timekeeper/src/begun-output.ts',
    find: 'return output.slice(begun.length);',
    replace: 'return output;',
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
    file: 'apps/timekeeper/src/partition-decider.ts',
    find: 'if (last === undefined) return;\n    this.now = Math.max(this.now, parseInstant(last.at));\n    this.next = last.offset + 1;',
    replace:
      'if (last === undefined) return;\n    this.now = Math.max(this.now, parseInstant(last.at));\n    this.next = last.offset;',
  },
  {
    name: 'the instants of the log may go back',
    file: 'apps/timekeeper/src/partition-decider.ts',
    find: 'this.now = Math.max(this.now, record.appendedAt);',
    replace: 'this.now = record.appendedAt;',
  },
  {
    name: 'an input is decided before the deadlines that have passed',
    file: 'apps/timekeeper/src/partition-decider.ts',
    find: '    const output = this.advance(at);',
    replace: '    const output = record.tenant === null ? this.advance(at) : [];',
  },
  {
    name: 'deciding goes on after an append that failed',
    file: 'apps/timekeeper/src/output-writer.ts',
    find: 'this.writing = this.writer.append(records);',
    replace: 'this.writing = this.writer.append(records).catch(() => undefined);',
  },
  {
    name: 'the ledger is read before the partition is taken over',
    file: 'apps/timekeeper/src/partition-loop.ts',
    find: `    const writer = await this.log.openWriter(this.partition, this.deployment);
    try {
      await this.decide(writer, signal);`,
    replace: `    const early = await recover(this.log, this.snapshots, this.partition, signal);
    const writer = await this.log.openWriter(this.partition, this.deployment);
    try {
      const output = new OutputWriter(writer);
      await output.add({ v: 1, type: 'writerStarted', deployment: this.deployment, epoch: writer.epoch });
      await output.flush();
      const ticker = new Ticker(this.clock);
      const turns = new Turns(this.log, this.partition, ticker, output, early);
      while (!signal.aborted) await turns.next(signal);`,
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
    find: 'if (untilTickMs > 0) {',
    replace: 'if (untilTickMs > -1e12) {',
  },
  {
    name: 'who is fenced appends all the same',
    file: 'libs/event-log/src/memory/memory-event-log.ts',
    find: 'if (this.#epochs[partition] !== epoch)',
    replace: 'if (epoch === 0)',
  },
];
