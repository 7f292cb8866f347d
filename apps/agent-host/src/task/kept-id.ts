// Ids are kept: what PostgreSQL cannot keep as it is, is none.

/** Bytes: ids are keys in PostgreSQL. */
export const mostIdBytes = 1_024;

export function isKeptId(id: unknown): id is string {
  if (typeof id !== 'string' || id.trim() === '' || id.includes('\0')) return false;
  return Buffer.byteLength(id) <= mostIdBytes && isWellFormed(id);
}

function isWellFormed(text: string): boolean {
  return Buffer.from(text, 'utf8').toString('utf8') === text;
}
