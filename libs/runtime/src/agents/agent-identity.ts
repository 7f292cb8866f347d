// By what an agent is found in the tables.
import { createHash } from 'node:crypto';

/** SHA-256 of the id's UTF-8: an id may be too long for an index. */
export function identityOf(agentId: string): Buffer {
  return createHash('sha256').update(agentId).digest();
}
