// Writes what a batch says of pauses: of two of one id the first counts, and so does the first end before its time.
import type { QueryRunner } from 'typeorm';
import type { Changes } from '../fold/changes.ts';
import { toStoredText } from '../stored-text.ts';
import { PauseRow } from '../tables/pause.entity.ts';
import { insertRows } from './bulk.ts';

/** Within the transaction it is given. */
export async function writePauses(runner: QueryRunner, { pauses, pauseEnds }: Changes): Promise<void> {
  for (const [pauseHash, { endedAt, endedBy }] of pauseEnds) {
    await runner.query(
      `UPDATE duewatch_read.pause SET ended_at = $2, ended_by = $3
        WHERE pause_hash = $1 AND ended_at IS NULL AND until_at > $2`,
      [pauseHash, endedAt, toStoredText(endedBy)],
    );
  }
  if (pauses.size > 0) await insertRows(runner, PauseRow, await unknownOf(runner, pauses));
}

async function unknownOf(runner: QueryRunner, pauses: ReadonlyMap<string, PauseRow>): Promise<readonly PauseRow[]> {
  const known = (await runner.query(
    `SELECT replace(pause_hash::text, '-', '') AS hash FROM duewatch_read.pause WHERE pause_hash = ANY ($1::uuid[])`,
    [[...pauses.keys()]],
  )) as { readonly hash: string }[];
  const hashes = new Set(known.map(({ hash }) => hash));
  return [...pauses.values()].filter(({ pauseHash }) => !hashes.has(pauseHash));
}
