// The embedded server: made once, durable, reachable from here only, stopped whole, taken over when it was left behind.
import { chmod, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { systemClock } from '../clock.ts';
import { makeCluster, openCluster, startServer, stopServer } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { findFreePort } from './free-port.ts';
import { findServer } from './pid-file.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './start.ts';

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL', () => {
  let parent: string;
  let dataDir: string;
  const running: EmbeddedPostgres[] = [];

  beforeAll(async () => {
    // Closed to other accounts, as the home directory of root is.
    parent = await mkdtemp(join(tmpdir(), 'duewatch embedded-'));
    dataDir = join(parent, 'data');
    const postgres = await start();
    await query(postgres.url(), 'CREATE TABLE note (text text)');
    await postgres.stop();
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((postgres) => postgres.stop()));
    expect(await findServer(await openCluster(join(dataDir, 'postgres')))).toBeUndefined();
  });
  afterAll(() => rm(parent, { recursive: true, force: true }));

  async function start(port?: number): Promise<EmbeddedPostgres> {
    const postgres = await startEmbeddedPostgres(port === undefined ? { dataDir } : { dataDir, port });
    running.push(postgres);
    return postgres;
  }

  /** A server as a killed process leaves it behind: nobody owns it. Its cluster has been made. */
  async function leaveBehind(): Promise<{ pid: number; port: number }> {
    const cluster = await openCluster(join(dataDir, 'postgres'));
    await startServer(cluster, await findFreePort(), {});
    return (await findServer(cluster))!;
  }

  /** The processes of a server that was left behind. */
  async function pidsOf(port: number, which: string): Promise<readonly number[]> {
    const password = (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim();
    const url = `postgresql://duewatch:${password}@127.0.0.1:${port}/postgres`;
    return (await query(url, `SELECT pid FROM pg_stat_activity WHERE ${which}`)).map(({ pid }) => Number(pid));
  }

  /** Notes the text in a server started and stopped for it. */
  async function note(text: string): Promise<void> {
    const postgres = await start();
    await query(postgres.url(), `INSERT INTO note VALUES ('${text}')`);
    await postgres.stop();
  }

  const isNoted = async (postgres: EmbeddedPostgres, text: string) =>
    (await query(postgres.url(), `SELECT FROM note WHERE text = '${text}'`)).length === 1;

  it('keeps what was written, over a stop and a start', async () => {
    await note('kept over a stop');
    const again = await start();
    expect(await isNoted(again, 'kept over a stop')).toBe(true);
  });

  it('is durable, in UTF-8 ordered by code points, and listens on 127.0.0.1 alone', async () => {
    const postgres = await start();
    const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses', 'unix_socket_directories'];
    const rows = await query(
      postgres.url(),
      `SELECT ${names.map((name) => `current_setting('${name}') AS ${name}`).join()},
         current_setting('server_encoding') AS encoding, datcollate FROM pg_database WHERE datname = current_database()`,
    );
    expect(rows[0]).toEqual({
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      encoding: 'UTF8',
      datcollate: 'C',
    });
  });

  it('has a password of its own, in a file for its owner alone, and takes no other', async () => {
    const postgres = await start();
    const url = new URL(postgres.url());
    const path = join(dataDir, 'postgres.password');
    expect((await readFile(path, 'utf8')).trim()).toBe(url.password);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    url.password = 'guessed';
    await expect(query(url.href, 'SELECT')).rejects.toThrow('password authentication failed');
  });

  it('listens on the port asked for', async () => {
    const port = await findFreePort();
    const postgres = await start(port);
    expect(new URL(postgres.url()).port).toBe(String(port));
  });

  it('takes over a server that was left behind, without a word, and stops it in the end', async () => {
    await note('kept by the orphan');
    const orphan = await leaveBehind();
    const reports: string[] = [];
    const postgres = await startEmbeddedPostgres({ dataDir, report: (message) => reports.push(message) });
    running.push(postgres);
    expect(reports).toEqual([]);
    expect(new URL(postgres.url()).port).toBe(String(orphan.port));
    expect(await isNoted(postgres, 'kept by the orphan')).toBe(true);
    await postgres.stop();
    await expect(query(postgres.url(), 'SELECT')).rejects.toThrow('ECONNREFUSED');
  });

  it('replaces a server left behind on another port than the one asked for', async () => {
    await note('kept over a move');
    await leaveBehind();
    const port = await findFreePort();
    const postgres = await start(port);
    expect(new URL(postgres.url()).port).toBe(String(port));
    expect(await isNoted(postgres, 'kept over a move')).toBe(true);
  });

  it('starts over a server that was killed, keeping what was committed', async () => {
    await note('kept over a kill');
    const orphan = await leaveBehind();
    const postgres = await start();
    await query(postgres.url(), `INSERT INTO note VALUES ('committed before the kill')`);
    process.kill(orphan.pid, 'SIGKILL');
    await expect(
      (async () => {
        for (;;) await query(postgres.url(), 'SELECT');
      })(),
    ).rejects.toThrow();
    await postgres.stop();
    const again = await start();
    expect(await isNoted(again, 'kept over a kill')).toBe(true);
    expect(await isNoted(again, 'committed before the kill')).toBe(true);
  });

  it('is started again, on the same port, where it is killed while it is kept', async () => {
    const reports: string[] = [];
    const postgres = await startEmbeddedPostgres({ dataDir, report: (message) => reports.push(message) });
    running.push(postgres);
    await query(postgres.url(), `INSERT INTO note VALUES ('committed before it was started again')`);
    const { pid } = (await findServer(await openCluster(join(dataDir, 'postgres'))))!;
    process.kill(pid, 'SIGKILL');
    while (reports.at(-1) !== 'the embedded PostgreSQL runs again') await systemClock.sleep(20);
    expect(await isNoted(postgres, 'committed before it was started again')).toBe(true);
    await expect(start()).rejects.toThrow('another Duewatch is running on this data directory');
  });

  it('is started again once its port is free, where something else took that meanwhile', async () => {
    const reports: string[] = [];
    const postgres = await startEmbeddedPostgres({ dataDir, report: (message) => reports.push(message) });
    running.push(postgres);
    const { pid, port } = (await findServer(await openCluster(join(dataDir, 'postgres'))))!;
    const another = createServer();
    // Tried until the server has let go of it, within the moment before it is started again.
    another.on('error', () => setImmediate(() => another.listen(port, '127.0.0.1')));
    process.kill(pid, 'SIGKILL');
    another.listen(port, '127.0.0.1');
    while (!reports.some((message) => message.includes('Address already in use'))) await systemClock.sleep(20);
    another.close();
    while (reports.at(-1) !== 'the embedded PostgreSQL runs again') await systemClock.sleep(20);
    expect(await query(postgres.url(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('stops while it is being started again', async () => {
    const reports: string[] = [];
    const postgres = await startEmbeddedPostgres({ dataDir, report: (message) => reports.push(message) });
    running.push(postgres);
    const { pid } = (await findServer(await openCluster(join(dataDir, 'postgres'))))!;
    process.kill(pid, 'SIGKILL');
    while (reports.length === 0) await systemClock.sleep(5);
    await postgres.stop();
    await expect(query(postgres.url(), 'SELECT')).rejects.toThrow('ECONNREFUSED');
  });

  it('starts although the pid file names a process that is something else', async () => {
    await note('kept over a mistake');
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    await writeFile(pidFile, [process.ppid, dataDir, 1, 5432, '', '127.0.0.1', '', 'ready', ''].join('\n'));
    const postgres = await start();
    expect(await isNoted(postgres, 'kept over a mistake')).toBe(true);
  });

  it('starts although the pid file names another directory’s server, which it leaves alone', async () => {
    await note('kept beside another server');
    const other = await openCluster(join(parent, 'neighbour'));
    await makeCluster(other, 'secret', ['--no-sync']);
    await startServer(other, await findFreePort(), {});
    const neighbour = (await findServer(other))!;
    const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
    const lines = [neighbour.pid, dataDir, 1, neighbour.port, '', '127.0.0.1', '', 'ready', ''];
    await writeFile(pidFile, lines.join('\n'));
    const postgres = await start();
    expect(await isNoted(postgres, 'kept beside another server')).toBe(true);
    expect(await findServer(other)).toEqual(neighbour);
    await stopServer(other);
  });

  it('starts although a machine that failed has left the pid file empty', async () => {
    await note('kept over an empty file');
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), '');
    const postgres = await start();
    expect(await isNoted(postgres, 'kept over an empty file')).toBe(true);
  });

  it('takes over a server that recovers from the end of one of its processes', async () => {
    const orphan = await leaveBehind();
    const [checkpointer] = await pidsOf(orphan.port, `backend_type = 'checkpointer'`);
    process.kill(checkpointer!, 'SIGKILL');
    const postgres = await start();
    expect(new URL(postgres.url()).port).toBe(String(orphan.port));
    expect(await query(postgres.url(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('waits for what a killed server has left', async () => {
    const orphan = await leaveBehind();
    const held = await pidsOf(orphan.port, 'pid <> pg_backend_pid()');
    for (const pid of held) process.kill(pid, 'SIGSTOP');
    process.kill(orphan.pid, 'SIGKILL');
    const reports: string[] = [];
    const starting = startEmbeddedPostgres({ dataDir, report: (message) => reports.push(message) });
    while (reports.length === 0) await systemClock.sleep(20);
    expect(reports[0]).toContain('pre-existing shared memory block');
    for (const pid of held) process.kill(pid, 'SIGKILL');
    const postgres = await starting;
    running.push(postgres);
    expect(await query(postgres.url(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is made although making it was interrupted once', async () => {
    const other = join(parent, 'other');
    await mkdir(join(other, 'postgres.new'), { recursive: true });
    await writeFile(join(other, 'postgres.new', 'PG_VERSION'), '18');
    await writeFile(join(other, 'postgres.password'), 'made-before', { mode: 0o600 });
    const postgres = await startEmbeddedPostgres({ dataDir: other, database: 'wanted' });
    running.push(postgres);
    expect(await query(postgres.url(), 'SELECT current_database() AS name')).toEqual([{ name: 'wanted' }]);
  });

  it('is refused to a second process, and the first goes on', async () => {
    const first = await start();
    await expect(start()).rejects.toThrow('another Duewatch is running on this data directory');
    expect(await query(first.url(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is refused to a second process that wants another port, and the first goes on', async () => {
    const first = await start();
    const port = await findFreePort();
    await expect(start(port)).rejects.toThrow('another Duewatch is running on this data directory');
    expect(await query(first.url(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('says what is missing where the password is', async () => {
    const path = join(dataDir, 'postgres.password');
    await rename(path, `${path}.away`);
    await expect(start()).rejects.toThrow(EmbeddedPostgresError);
    await expect(start()).rejects.toThrow('postgres.password');
    await rename(`${path}.away`, path);
  });

  it('leaves no server of its own running where it cannot connect', async () => {
    const path = join(dataDir, 'postgres.password');
    const password = await readFile(path);
    await writeFile(path, 'another');
    await expect(start()).rejects.toThrow('password authentication failed');
    await writeFile(path, password);
  });

  it('says why the server does not start', async () => {
    const directory = join(dataDir, 'postgres');
    await chmod(directory, 0o777);
    await expect(start()).rejects.toThrow(/pg_ctl start failed[^]*permissions/);
    await chmod(directory, 0o700);
  });
});
