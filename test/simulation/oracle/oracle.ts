// All that is watched of a run, together.
import { decodeLedger, isWatcherEvent, type LedgerEvent, type LogRecord, type Topic } from '#event-log';
import type { Agents } from '../agents.ts';
import { type LogWitness, PARTITION_COUNT, type SharedLog } from '../shared-log.ts';
import type { World } from '../world.ts';
import { DispatchWatch } from './dispatch-watch.ts';
import { LedgerWatch } from './ledger-watch.ts';

export class Oracle implements LogWitness {
  readonly ledgers: readonly LedgerWatch[];
  readonly dispatch: DispatchWatch;

  constructor(
    private readonly world: World,
    private readonly log: SharedLog,
    agents: Agents,
  ) {
    this.ledgers = Array.from({ length: PARTITION_COUNT }, (_, partition) => new LedgerWatch(partition));
    this.dispatch = new DispatchWatch(world, agents);
    agents.witness = this.dispatch;
    log.watch(this);
  }

  appended(topic: Topic, partition: number, records: readonly LogRecord[], epoch: number | undefined): void {
    const ledger = this.ledger(partition);
    if (topic === 'inbox') return ledger.appendedToInbox(records);
    ledger.appendedToLedger(records, epoch);
    for (const { value } of records) {
      const entry = decodeLedger(value);
      if (!('events' in entry)) continue;
      this.world.note(`  ledger ${partition} of ${entry.tenant}: ${entry.events.map(named).join(', ')}`);
      for (const event of entry.events) if (!isWatcherEvent(event)) this.dispatch.decided(entry.tenant, event);
    }
  }

  takenOver(partition: number, epoch: number): void {
    this.ledger(partition).takenOver(epoch);
  }

  checkAgainstModel(): void {
    for (const ledger of this.ledgers) ledger.checkAgainstModel();
  }

  /** What keeps the watcher from being at rest, in words; undefined where nothing does. */
  unrest(): string | undefined {
    for (const ledger of this.ledgers) {
      if (!ledger.isCaughtUp()) return `the inbox of partition ${ledger.partition} is not decided to its end`;
      const deadline = ledger.earliestDeadline();
      if (deadline !== undefined && deadline < this.log.now())
        return `a deadline of partition ${ledger.partition} has passed`;
    }
    return undefined;
  }

  /** The next instant at which something lapses by itself. */
  earliestDeadline(): number | undefined {
    const deadlines = this.ledgers.map((ledger) => ledger.earliestDeadline()).filter((one) => one !== undefined);
    return deadlines.length === 0 ? undefined : Math.min(...deadlines);
  }

  private ledger(partition: number): LedgerWatch {
    const ledger = this.ledgers[partition];
    if (ledger === undefined) throw new Error(`no partition ${partition}`);
    return ledger;
  }
}

/** An event for whoever reads the trace. */
function named(event: LedgerEvent): string {
  const of = 'expectationId' in event ? ` ${event.agentId} ${String(event.expectationId)}` : '';
  const lapse = 'lapse' in event ? ` ${typeof event.lapse === 'string' ? event.lapse : event.lapse.lapse}` : '';
  const state = event.type === 'statusApplied' ? ` ${event.agentId} ${event.taskId} ${event.state}` : '';
  return `${event.type}${of}${state}${lapse}${'attempt' in event ? ` ${event.attempt}` : ''}`;
}
