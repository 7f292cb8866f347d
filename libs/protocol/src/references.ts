// Where a message's references stand, by the wire that carries it (§10.1).
import type { Client } from '@a2a-js/sdk/client';
import type { LapseRequest } from './lapse-message.ts';
import type { RefusalsRequest } from './refusals-message.ts';

/**
 * The request as the client's wire can carry it. 0.3's HTTP+JSON is the JSON of its proto, whose Message has no
 * `reference_task_ids`: the SDK drops them, and agents that parse strictly would refuse a member that is not in it. What
 * it has is `metadata`, where they stand by the same name.
 */
export function withReferences(
  { transport, protocolVersion }: Pick<Client, 'transport' | 'protocolVersion'>,
  request: LapseRequest | RefusalsRequest,
): object {
  if (transport.protocolName !== 'HTTP+JSON' || !protocolVersion.startsWith('0.')) return request;
  const { message } = request;
  const { metadata, referenceTaskIds } = message;
  return { ...request, message: { ...message, metadata: { ...metadata, referenceTaskIds } } };
}
