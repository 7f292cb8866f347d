// The server on a cluster's directory: one that runs already, whoever started it, or a new one.
import { systemClock } from '../clock.ts';
import { type Cluster, startServer, stopServer } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { findFreePort } from './free-port.ts';
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

/** A server that takes connections, on that port if one is given. Throws `EmbeddedPostgresError`. */
export async function haveServer(cluster: Cluster, port: number | undefined): Promise<ServerAtHand> {
  let server = await findServer(cluster);
  // One that starts or stops gets there by itself.
  while (server !== undefined && !server.isReady) {
    await systemClock.sleep(100);
    server = await findServer(cluster);
  }
  if (server !== undefined && (port === undefined || port === server.port)) return { ...server, isNew: false };
  if (server !== undefined) await stopServer(cluster);
  await startServer(cluster, port ?? (await findFreePort()), settings);
  const started = await findServer(cluster);
  if (started === undefined) throw new EmbeddedPostgresError('PostgreSQL ended as soon as it had started');
  return { ...started, isNew: true };
}
