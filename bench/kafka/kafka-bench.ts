// What the phases share: broker, database, the apps, tenants, and a look at the log beside them.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventLog } from '#event-log';
import { applyTopics, KafkaEventLog } from '#event-log-kafka';
import { type EmbeddedPostgres, type KafkaAddress, startEmbeddedPostgres, systemClock } from '#runtime';
import { type KafkaCluster, startCluster } from '#testing';
import { HttpLoad } from '../embedded/http-load.ts';
import { TenantBodies } from '../embedded/tenant-bodies.ts';
import { openTenants, type Tenant } from '../embedded/tenants.ts';
import { administratorKey } from '../embedded/watcher-process.ts';
import { AppProcess } from './app-process.ts';

const PARTITION_COUNT = 8;
const TENANT_COUNT = 4;
/** Bodies of so many expectations, where it is not measured how they come. */
const FILLING = 500;

export type App = 'intake' | 'facts' | 'timekeeper' | 'projector';

export class KafkaBench {
  private readonly apps = new Map<App, AppProcess>();
  private openedCount = 0;
  tenants: readonly Tenant[] = [];
  bodies: TenantBodies;

  private constructor(
    readonly scale: number,
    private readonly directory: string,
    private readonly cluster: KafkaCluster,
    private readonly postgres: EmbeddedPostgres,
    readonly log: EventLog,
  ) {
    this.bodies = new TenantBodies(scale, []);
  }

  static async start(scale: number): Promise<KafkaBench> {
    const directory = await mkdtemp(join(tmpdir(), 'duewatch-bench-'));
    const report = (): void => undefined;
    const postgres = await startEmbeddedPostgres({ dataDir: directory, report, onLost: report });
    const cluster = await startCluster({ nodes: 1 });
    const address: KafkaAddress = { brokers: cluster.brokers, prefix: 'bench' };
    await applyTopics(address, { partitionCount: PARTITION_COUNT, replicationFactor: 1 });
    const log = new KafkaEventLog({ address, partitionCount: PARTITION_COUNT, clock: systemClock });
    return new KafkaBench(scale, directory, cluster, postgres, log);
  }

  get brokers(): readonly string[] {
    return this.cluster.brokers;
  }

  /** Starts every app that is measured, and makes the tenants. */
  async openSystem(): Promise<void> {
    for (const app of ['intake', 'facts', 'timekeeper', 'projector'] as const) await this.startApp(app);
    this.tenants = await openTenants(this.app('intake').url, TENANT_COUNT);
    this.bodies = new TenantBodies(this.scale, this.tenants);
  }

  app(name: App): AppProcess {
    const app = this.apps.get(name);
    if (app === undefined) throw new Error(`the bench is wrong: the ${name} does not run`);
    return app;
  }

  /** Resolves once it is ready, to the milliseconds since it was started. */
  async startApp(name: App): Promise<number> {
    const app = await AppProcess.start(name, {
      DUEWATCH_KAFKA_BROKERS: this.brokers.join(),
      DUEWATCH_KAFKA_PREFIX: 'bench',
      DUEWATCH_PARTITIONS: String(PARTITION_COUNT),
      DUEWATCH_DATABASE_URL: this.postgres.url(),
      DUEWATCH_SEAL_KEY: '00'.repeat(32),
      DUEWATCH_OUTBOUND_ALLOW: '127.0.0.0/8',
      DUEWATCH_BOOTSTRAP_KEY: administratorKey,
      DUEWATCH_LOG_LEVEL: 'error',
      DUEWATCH_PORT: '0',
    });
    this.apps.set(name, app);
    return app.ready();
  }

  async stopApp(name: App): Promise<void> {
    await this.app(name).stop();
    this.apps.delete(name);
  }

  async killApp(name: App): Promise<void> {
    await this.app(name).kill();
    this.apps.delete(name);
  }

  /** The seconds until all bodies are answered, which is when their decisions are in the ledger. */
  async drive(app: App, path: string, bodies: ReadonlyMap<Tenant, readonly Buffer[]>): Promise<number> {
    const load = new HttpLoad(this.app(app).url, 1);
    try {
      return (await load.drive(path, bodies)).seconds;
    } finally {
      await load.close();
    }
  }

  /** Raises so many more that so many are open. */
  async openAtLeast(count: number): Promise<void> {
    const missing = count - this.openedCount;
    if (missing <= 0) return;
    const bodies = this.bodies.make(missing, FILLING, (of) => of.expectations(FILLING, FILLING));
    await this.drive('intake', '/v1/observations', bodies);
    this.openedCount += missing;
  }

  async end(): Promise<void> {
    await Promise.all(Array.from(this.apps.values(), (app) => app.stop()));
    await this.log.close();
    await this.cluster.close();
    await this.postgres.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** Resolves once the condition holds, looked at so often. */
export async function until(condition: () => Promise<boolean>, everyMs = 20): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, everyMs));
}
