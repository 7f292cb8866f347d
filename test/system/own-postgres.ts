// A PostgreSQL of one suite's own, which it can stop and start again.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Cluster,
  clusterUser,
  findFreePort,
  makeCluster,
  openCluster,
  readServerLog,
  startServer,
  stopServer,
} from '#runtime';
import { send, treesOf } from './trees.ts';

const password = 'only-for-tests';
const settings = { fsync: 'off', shared_buffers: '32MB', max_connections: 200, jit: 'off', timezone: 'UTC' };

export class OwnPostgres {
  private constructor(
    private readonly home: string,
    private readonly cluster: Cluster,
    private readonly port: number,
  ) {}

  /** One that runs. */
  static async create(): Promise<OwnPostgres> {
    const home = await mkdtemp(join(tmpdir(), 'duewatch-postgres-'));
    const cluster = await openCluster(join(home, 'data'));
    await makeCluster(cluster, password, ['--no-sync']);
    const postgres = new OwnPostgres(home, cluster, await findFreePort());
    await postgres.start();
    return postgres;
  }

  get url(): string {
    return `postgresql://${clusterUser}:${password}@127.0.0.1:${this.port}/postgres`;
  }

  async start(): Promise<void> {
    await startServer(this.cluster, this.port, settings);
  }

  /** Ends every connection, and it is gone. */
  async stop(): Promise<void> {
    await stopServer(this.cluster);
  }

  /** All its processes: `SIGSTOP` stands them still, `SIGCONT` lets them go on. */
  async signal(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const pid = parseInt(await readFile(join(this.cluster.directory, 'postmaster.pid'), 'utf8'), 10);
    for (const each of treesOf([pid])) send(each, signal);
  }

  /** The last lines that it wrote. */
  async lastWords(): Promise<string> {
    return readServerLog(this.cluster);
  }

  /** Stops it, where it runs, and forgets its data. */
  async remove(): Promise<void> {
    await this.signal('SIGCONT').catch(() => undefined);
    await this.stop().catch(() => undefined);
    await rm(this.home, { recursive: true, force: true });
  }
}
