// The record is what its inbox comes to: decided anew, with the parks, holds and releases it tells of, byte for byte.
import type { Client } from 'pg';
import { encodeLedger, isPositioned, decodeLedger, type LogRecord } from '#event-log';
import { replay } from '../timekeeping/replay.ts';

interface Row {
  readonly record_offset: string;
  readonly appended_at: string;
  readonly tenant: string | null;
  readonly value: Buffer;
}

/** Nothing of the inbox was let go of. */
export async function expectReplayable(client: Client, partitionCount: number): Promise<void> {
  for (let partition = 0; partition < partitionCount; partition += 1) {
    // In this order: the watcher looks after its tasks all the time, and inputs that are not decided yet may be there.
    const ledger = await readAll(client, 'ledger', partition);
    const inbox = await readAll(client, 'inbox', partition);
    const differs = await replayDifference(inbox, ledger);
    expect({ partition, differs }).toEqual({ partition, differs: undefined });
  }
}

/**
 * Where one partition's ledger first differs from what its inbox comes to: what is written, and what is replayed. Inputs
 * that came after the last decided one are not in the ledger yet.
 */
export async function replayDifference(
  inbox: readonly LogRecord[],
  ledger: readonly LogRecord[],
): Promise<readonly string[] | undefined> {
  const written = ledger.filter(({ value }) => {
    const entry = decodeLedger(value);
    return isPositioned(entry) && !('type' in entry);
  });
  const replayed: Uint8Array[] = [];
  for await (const entry of replay(inbox, ledger)) replayed.push(encodeLedger(entry));
  const differs = written.findIndex(({ value }, nth) => Buffer.compare(value, replayed[nth] ?? Buffer.alloc(0)) !== 0);
  return differs === -1 ? undefined : [text(written[differs]?.value), text(replayed[differs])];
}

const text = (value: Uint8Array | undefined): string => new TextDecoder().decode(value);

async function readAll(client: Client, topic: 'inbox' | 'ledger', partition: number): Promise<LogRecord[]> {
  const { rows } = await client.query<Row>(
    `SELECT record_offset, appended_at, tenant, value FROM duewatch_log.${topic}
     WHERE partition = $1 ORDER BY record_offset`,
    [partition],
  );
  return rows.map(({ record_offset, appended_at, tenant, value }) => ({
    offset: Number(record_offset),
    appendedAt: Number(appended_at),
    tenant,
    value,
  }));
}
