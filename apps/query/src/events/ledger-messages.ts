// A tenant's part of the ledger as server-sent events. It must never hold a record of another tenant.
import {
  decodeLedger,
  type EventLog,
  formatPosition,
  type LogRecord,
  type ReadOptions,
  UndecodableRecordError,
} from '#event-log';
import type { Clock } from '#runtime';

const READ_RECORDS = 200;
const heartbeatMs = 15_000;
/** A revoked key reads no further for longer than this. */
const askEveryMs = 5_000;
/** Then the client connects again: no stream outlives a move of its process for long. */
const mostMs = 900_000;

export interface LedgerPart {
  readonly tenant: string;
  readonly partition: number;
  /** The first ledger offset wanted. */
  readonly from: number;
  /** Reads the partition's ledger. */
  readonly read: (options: ReadOptions) => Promise<readonly LogRecord[]>;
  /** Whether the reader's key still counts. */
  readonly mayRead: () => Promise<boolean>;
}

/**
 * Texts of the event stream: a message for each record of the tenant (`id` its ledger position; `position` the inbox
 * position it was decided from), a comment while nothing comes, with the position reached as id. Reads on only as the
 * texts are taken. Ends when `signal` aborts, soon after its key is revoked, or after 15 minutes.
 */
export async function* ledgerMessages(
  log: EventLog,
  clock: Clock,
  { tenant, partition, from, read, mayRead }: LedgerPart,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const until = clock.now() + mostMs;
  let next = from;
  let askAt = clock.now() + askEveryMs;
  let heartbeatAt = clock.now() + heartbeatMs;
  yield ': connected\nretry: 1000\n\n';
  while (!signal.aborted && clock.now() < until) {
    if (clock.now() >= askAt) {
      if (!(await mayRead())) return;
      askAt = clock.now() + askEveryMs;
    }
    const records = await read({ from: next, limit: READ_RECORDS });
    const messages = records.filter((record) => record.tenant === tenant).map((record) => messageOf(partition, record));
    next = (records.at(-1)?.offset ?? next - 1) + 1;
    if (messages.length > 0) {
      yield messages.join('');
      heartbeatAt = clock.now() + heartbeatMs;
    }
    if (records.length > 0) continue;
    const waitMs = Math.min(askAt, heartbeatAt) - clock.now();
    if (waitMs > 0) await log.waitFor('ledger', partition, next, waitMs, signal);
    if (clock.now() < heartbeatAt) continue;
    yield heartbeat(partition, next);
    heartbeatAt = clock.now() + heartbeatMs;
  }
}

/** Without `data`, so that it is no message: the client only learns where to resume. */
function heartbeat(partition: number, next: number): string {
  return next === 0 ? ': heartbeat\n\n' : `: heartbeat\nid: ${formatPosition({ partition, offset: next - 1 })}\n\n`;
}

function messageOf(partition: number, record: LogRecord): string {
  try {
    const entry = decodeLedger(record.value);
    if (!('events' in entry)) return '';
    const position = formatPosition({ partition, offset: entry.offset });
    const id = formatPosition({ partition, offset: record.offset });
    return `id: ${id}\ndata: ${JSON.stringify({ position, at: entry.at, events: entry.events })}\n\n`;
  } catch (error) {
    if (error instanceof UndecodableRecordError) return '';
    throw error;
  }
}
