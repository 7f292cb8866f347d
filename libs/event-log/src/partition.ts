// Which partition a tenant lives in: a function of ours, never a client library's default.

/** What the function is called where a log's origin is recorded. */
export const PARTITION_FUNCTION = 'fnv1a-utf16';

/** FNV-1a over the tenant's UTF-16 code units, modulo the partition count. A change of it strands every tenant. */
export function partitionOf(tenant: string, partitionCount: number): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < tenant.length; index += 1) {
    hash = Math.imul(hash ^ tenant.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0) % partitionCount;
}
