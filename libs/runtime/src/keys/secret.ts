// An API key's secret: made here, shown once, kept nowhere; stores know its hash only.
import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits. */
export function makeSecret(): string {
  return `dw_${randomBytes(32).toString('base64url')}`;
}

/** SHA-256: a secret of 256 random bits needs no slower hash. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest();
}

/** An id that tells nothing of the secret. */
export function makeKeyId(): string {
  return `key_${randomBytes(12).toString('base64url')}`;
}
