// Which account the server runs under: PostgreSQL refuses to run as root.
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const run = promisify(execFile);

/** What a process is spawned with. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Undefined: our own account will do. As root: the owner of the cluster, where there is one; else `postgres`, where
 * there is such a user; else `nobody`. No user is ever made.
 */
export async function chooseAccount(clusterDirectory: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(clusterDirectory).catch(() => undefined);
  if (owner !== undefined && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const account = (await findUser('postgres')) ?? (await findUser('nobody'));
  if (account === undefined) {
    throw new EmbeddedPostgresError(
      'PostgreSQL does not run as root, and there is neither a user "postgres" nor "nobody": run as another user',
    );
  }
  return account;
}

async function findUser(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined; // `id` fails for a user that is not.
  }
}
