// Encrypts the credentials for calling agents (AES-256-GCM), with a key that is configured or lies in the data directory.
// It must never let one agent's sealed credential be opened as another's.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { chmod, link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareDataDirectory } from '../data-directory.ts';
import { errorCode } from '../error-code.ts';

/** The injection token of the `CredentialSeal`. */
export const CREDENTIAL_SEAL = Symbol('CredentialSeal');

/** The sealed credential cannot be opened: the key is not the one it was sealed with. */
export class SealBrokenError extends Error {
  override readonly name = 'SealBrokenError';
  readonly retryable = false;
}

const nonceBytes = 12;
const tagBytes = 16;

export class CredentialSeal {
  constructor(private readonly key: Uint8Array) {}

  /** `owner` names whose it is; the same is needed to open it. */
  seal(text: string, owner: string): Buffer {
    const nonce = randomBytes(nonceBytes);
    const cipher = createCipheriv('aes-256-gcm', this.key, nonce).setAAD(Buffer.from(owner));
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  }

  /** Throws `SealBrokenError`. */
  open(sealed: Uint8Array, owner: string): string {
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.key, sealed.subarray(0, nonceBytes))
        .setAAD(Buffer.from(owner))
        .setAuthTag(sealed.subarray(-tagBytes));
      const middle = decipher.update(sealed.subarray(nonceBytes, -tagBytes));
      return Buffer.concat([middle, decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new SealBrokenError(
        'a credential was not sealed with the key of this process (DUEWATCH_SEAL_KEY, or the data directory)',
        { cause },
      );
    }
  }
}

/** The seal of a data directory; its key is made where there is none, the first of several processes winning. */
export async function openCredentialSeal(dataDirectory: string): Promise<CredentialSeal> {
  const path = join(dataDirectory, 'credentials.key');
  await prepareDataDirectory(dataDirectory);
  const made = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(made, randomBytes(32), { mode: 0o600, flag: 'wx', flush: true });
  try {
    await link(made, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(made);
  }
  const key = await readFile(path);
  if (key.length !== 32) throw new SealBrokenError(`${path} must hold 32 bytes`);
  await chmod(path, 0o600);
  return new CredentialSeal(key);
}
