// The server on a cluster's directory: one that runs already, whoever started it, or a new one.
import { systemClock } from '../clock.ts';
import { type Cluster, startServer, stopServer } from './cluster.ts';
import { ServerBusyError } from './embedded-postgres-error.ts';
import { findFreePort } from './free-port.ts';
import { claimServer } from './owner.ts';
import { findServer } from './pid-file.ts';

export interface ServerAtHand {
  readonly port: number;
  readonly pid: number;
  /** Started here, not found running. */
  readonly isNew: boolean;
}

// Durable whatever a configuration file says; small enough for a laptop; quiet.
const settings = {
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  shared_buffers: '128MB',
  max_connections: 100,
  jit: 'off',
  log_checkpoints: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/** Whose server it is, and how its owner connects to it. */
export interface ServerClaim {
  readonly cluster: Cluster;
  /** Made where it is not. */
  readonly database: string;
  readonly urlAt: (port: number) => string;
}

/**
 * A server that takes connections, on that port if one is given. Throws `EmbeddedPostgresError`, and `ServerTakenError`
 * where one runs on another port that another process has.
 */
export async function haveServer({ cluster, urlAt }: ServerClaim, port: number | undefined): Promise<ServerAtHand> {
  let server = await findServer(cluster);
  // One that starts or stops gets there by itself.
  while (server !== undefined && !server.isReady) {
    await systemClock.sleep(100);
    server = await findServer(cluster);
  }
  if (server !== undefined && (port === undefined || port === server.port)) return { ...server, isNew: false };
  if (server !== undefined) {
    const owner = await claimServer(urlAt(server.port));
    await Promise.all([owner.end(), stopServer(cluster)]);
  }
  await startServer(cluster, port ?? (await findFreePort()), settings);
  const started = await findServer(cluster);
  if (started === undefined) throw new ServerBusyError('PostgreSQL ended as soon as it had started');
  return { ...started, isNew: true };
}
