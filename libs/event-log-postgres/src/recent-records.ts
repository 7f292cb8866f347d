// The newest records of each partition that this process appended itself: who follows the log in the process that writes
// it need not ask the database for what was just sent there. It must never hold what is not committed, nor a gap.
import {
  boundedRead,
  type LogRecord,
  type NewRecord,
  type Place,
  type ReadOptions,
  type Topic,
  type TrimOptions,
} from '#event-log';

/** Bytes of values kept of each partition of each topic; the last append is kept whatever it has. */
const KEPT_BYTES = 512 * 1024;

interface Run {
  /** Without a gap, in offset order. */
  records: LogRecord[];
  bytes: number;
}

export class RecentRecords {
  readonly #runs = new Map<string, Run>();

  /** The records were committed there. */
  add(topic: Topic, partition: number, { first, appendedAt }: Place, records: readonly NewRecord[]): void {
    const known = this.#runs.get(`${topic} ${partition}`);
    const follows = known !== undefined && (known.records.at(-1)?.offset ?? -1) + 1 === first;
    const run = follows ? known : { records: [], bytes: 0 };
    this.#runs.set(`${topic} ${partition}`, run);
    forget(run);
    records.forEach((record, nth) => {
      run.records.push({ ...record, offset: first + nth, appendedAt });
      run.bytes += record.value.byteLength;
    });
  }

  /** What was let go of is not to be shown from here either. */
  trim(partition: number, { before, appendedBefore }: TrimOptions): void {
    const run = this.#runs.get(`inbox ${partition}`);
    if (run === undefined) return;
    const kept = run.records.findIndex(({ offset, appendedAt }) => offset >= before || appendedAt >= appendedBefore);
    const gone = run.records.splice(0, kept === -1 ? run.records.length : kept);
    for (const { value } of gone) run.bytes -= value.byteLength;
  }

  /** As `EventLog.read`, and never empty; undefined where the database has to be asked. */
  read(topic: Topic, partition: number, { from, limit }: ReadOptions): readonly LogRecord[] | undefined {
    const records = this.#runs.get(`${topic} ${partition}`)?.records;
    const first = records?.[0]?.offset;
    if (records === undefined || first === undefined || from < first || from >= first + records.length)
      return undefined;
    return boundedRead(records, from - first, limit);
  }
}

/** Makes room: the oldest go, half of what may be kept at a time. */
function forget(run: Run): void {
  if (run.bytes <= KEPT_BYTES) return;
  let count = 0;
  while (run.bytes > KEPT_BYTES / 2) run.bytes -= run.records[count++]?.value.byteLength ?? 0;
  run.records = run.records.slice(count);
}
