// The identities of the outbox, of one length whatever the ids are.
import { createHash } from 'node:crypto';
import type { LapseKind } from '#expectations';

/** Of an agent, among all tenants. 64 hexadecimal digits. */
export function agentKeyOf(tenant: string, agentId: string): string {
  return hash([tenant, agentId]);
}

/** Of a lapse: tenant, agent, expectation, kind. 64 hexadecimal digits. */
export function lapseKeyOf(tenant: string, agentId: string, expectationId: string, lapse: LapseKind): string {
  return hash([tenant, agentId, expectationId, lapse]);
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
