// The identities of the outbox, of one length whatever the ids are.
import { createHash } from 'node:crypto';
import type { LapseKind, Subject } from '#expectations';

/** Of an agent, among all tenants. 64 hexadecimal digits. */
export function agentKeyOf(tenant: string, agentId: string): string {
  return hash([tenant, agentId]);
}

/** Of an expectation, among all tenants. 64 hexadecimal digits. */
export function expectationKeyOf(tenant: string, agentId: string, expectationId: string): string {
  return hash([tenant, agentId, expectationId]);
}

/** Of a lapse: tenant, agent, expectation, kind. 64 hexadecimal digits. */
export function lapseKeyOf(tenant: string, agentId: string, expectationId: string, lapse: LapseKind): string {
  return hash([tenant, agentId, expectationId, lapse]);
}

/** Of a tenant. The key of a scope never equals that of another kind of scope: each has a list of its own length or word. */
export function tenantKeyOf(tenant: string): string {
  return hash([tenant]);
}

/** Of a kind of expectation, within a tenant. */
export function kindKeyOf(tenant: string, kind: string): string {
  return hash([tenant, 'kind', kind]);
}

/** Of a subject, within a tenant. */
export function subjectKeyOf(tenant: string, { type, id }: Subject): string {
  return hash([tenant, 'subject', type, id]);
}

/** Of a context, within an agent. */
export function contextKeyOf(tenant: string, agentId: string, contextId: string): string {
  return hash([tenant, 'context', agentId, contextId]);
}

/** Of a task, within an agent. */
export function taskKeyOf(tenant: string, agentId: string, taskId: string): string {
  return hash([tenant, 'task', agentId, taskId]);
}

/** Of a day, within an agent. */
export function dayKeyOf(tenant: string, agentId: string, at: Date): string {
  return hash([tenant, 'day', agentId, at.toISOString().slice(0, 10)]);
}

/** Of a pause, within a tenant. */
export function pauseKeyOf(tenant: string, pauseId: string): string {
  return hash([tenant, 'pause', pauseId]);
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
