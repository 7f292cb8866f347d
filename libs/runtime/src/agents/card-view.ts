// How the reading of an agent's card stands, as its tenant may see it.
import type { DataSource } from 'typeorm';
import { AgentCard } from '../edge-database/agent-card.entity.ts';
import { CardReading } from '../edge-database/card-reading.entity.ts';

/** The newest version, when it was read and will be, what it changed, and why it could not be read since. */
export async function cardView(
  database: DataSource,
  tenant: string,
  identity: Buffer,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const reading = await database.getRepository(CardReading).findOneBy({ tenant, identity });
  if (reading === null) return undefined;
  const { version, problem, failedAt, failuresCount } = reading;
  const newest = await database.getRepository(AgentCard).findOne({
    select: { changes: true },
    where: { tenant, identity, version },
  });
  const changes: unknown = JSON.parse(newest?.changes ?? 'null');
  return {
    version,
    readAt: reading.readAt.toISOString(),
    nextReadAt: reading.nextReadAt.toISOString(),
    ...(reading.etag !== null && { etag: reading.etag }),
    ...(changes !== null && { changes }),
    ...(problem !== null && {
      problem: { ...(JSON.parse(problem) as object), failedAt: failedAt?.toISOString(), failuresCount },
    }),
  };
}
