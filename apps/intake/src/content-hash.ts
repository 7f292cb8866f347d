// What is equal as JSON text is the same.
import { createHash } from 'node:crypto';

/** 43 characters, whatever the value. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
