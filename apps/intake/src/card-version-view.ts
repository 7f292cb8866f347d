// A version of an agent's card, as its tenant may see it.
import type { AgentCard } from '#runtime';

/** In a list: without the card itself, which may have a megabyte. */
export function cardVersionView({ version, readAt, etag, findings, changes }: AgentCard): object {
  const changed: unknown = JSON.parse(changes);
  return {
    version,
    readAt: readAt.toISOString(),
    ...(etag !== null && { etag }),
    ...(changed !== null && { changes: changed }),
    findings: JSON.parse(findings) as unknown,
  };
}

export function cardVersionWholeView(version: AgentCard): object {
  return {
    ...cardVersionView(version),
    declaration: JSON.parse(version.declaration) as unknown,
    card: JSON.parse(version.card) as unknown,
  };
}
