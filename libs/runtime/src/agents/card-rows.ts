// Writes a card that was read, with its version, within a transaction of whoever does more.
import type { EntityManager } from 'typeorm';
import { identityOf } from './agent-identity.ts';
import { afterSeconds, type CardClaim, claimTime, type ReadCard } from './card-claim.ts';

/** Versions that are kept of one agent's card, and how many bytes of them together; the newest always is. */
const versionsCount = 50;
const versionsBytes = 10_000_000;

/** What the log was not told is told at once. */
export function unlessUntold(seconds: string): string {
  return `CASE WHEN untold THEN now() ELSE ${afterSeconds(seconds)} END`;
}

/** False where the claim was overtaken: nothing is written then. The card that is the last version's is none anew. */
export async function storeCard(
  manager: EntityManager,
  claimed: CardClaim,
  read: ReadCard,
  isToTell: boolean,
): Promise<boolean> {
  const key = [claimed.tenant, identityOf(claimed.agentId)] as const;
  const rows: { version: number; newest: string | null }[] = await manager.query(
    `WITH kept AS (
       UPDATE duewatch_edge.card_reading AS reading
       SET read_at = now(), etag = $4, failures_count = 0, problem = NULL, failed_at = NULL, untold = untold OR $5,
           next_read_at = CASE WHEN untold OR $5 THEN now() ELSE ${afterSeconds('$6')} END,
           claimed_until = CASE WHEN untold OR $5 THEN now() + ${claimTime} END
       WHERE tenant = $1 AND identity = $2 AND revision = $3 RETURNING version
     )
     SELECT kept.version, newest.card AS newest
     FROM kept LEFT JOIN duewatch_edge.agent_card AS newest
       ON newest.tenant = $1 AND newest.identity = $2 AND newest.version = kept.version`,
    [...key, claimed.revision, read.etag ?? null, isToTell, read.periodSeconds],
  );
  const [row] = rows;
  if (row === undefined) return false;
  const card = JSON.stringify(read.card);
  if (row.newest === card) return true;
  const version = row.version + 1;
  const texts = [read.declaration, read.findings, read.changes ?? null].map((value) => JSON.stringify(value));
  await manager.query(
    `INSERT INTO duewatch_edge.agent_card (tenant, identity, version, card, declaration, findings, changes, etag)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [...key, version, card, ...texts, read.etag ?? null],
  );
  await manager.query(`UPDATE duewatch_edge.card_reading SET version = $3 WHERE tenant = $1 AND identity = $2`, [
    ...key,
    version,
  ]);
  await letGo(manager, key);
  return true;
}

async function letGo(manager: EntityManager, key: readonly [string, Buffer]): Promise<void> {
  await manager.query(
    `DELETE FROM duewatch_edge.agent_card AS old
     USING (
       SELECT version, row_number() OVER newest AS place,
              sum(octet_length(card) + octet_length(declaration)) OVER newest AS bytes
       FROM duewatch_edge.agent_card WHERE tenant = $1 AND identity = $2
       WINDOW newest AS (ORDER BY version DESC)
     ) AS kept
     WHERE old.tenant = $1 AND old.identity = $2 AND old.version = kept.version
       AND (kept.place > $3 OR (kept.bytes > $4 AND kept.place > 1))`,
    [...key, versionsCount, versionsBytes],
  );
}
