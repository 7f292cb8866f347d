// Tells the log what the outbox says it is still to be told: what is asked, and how attempts ended.
// At least once: after a crash in between the same is told again, and the decider takes no harm.
import { encodeInbox, type EventLog } from '#event-log';
import type { WakeUp } from '#runtime';
import type { Outbox } from './outbox/outbox.ts';

const batchReports = 500;
const idleMs = 60_000;

export interface ReporterOptions {
  readonly log: EventLog;
  readonly outbox: Outbox;
  readonly partition: number;
  readonly wakeUp: WakeUp;
  /** Told of each agent of which something was told. */
  readonly onTold: (agentKey: string) => void;
}

export class Reporter {
  private readonly options: ReporterOptions;

  constructor(options: ReporterOptions) {
    this.options = options;
  }

  /** Tells what there is, or waits until there may be something. Throws faults; may be called again. */
  async pass(signal: AbortSignal): Promise<true> {
    if (!(await this.tell())) await this.options.wakeUp.sleep(idleMs, signal);
    return true;
  }

  /** Tells a batch. False where there was nothing to tell. */
  async tell(): Promise<boolean> {
    const { log, outbox, partition, onTold } = this.options;
    const reports = await outbox.reports(batchReports);
    if (reports.length > 0) {
      const records = reports.map(({ tenant, input }) => ({ tenant, value: encodeInbox(input) }));
      await log.append(partition, records);
      await outbox.told(reports);
    }
    for (const agentKey of new Set(reports.map((report) => report.agentKey))) onTold(agentKey);
    return reports.length > 0;
  }
}
