// What the phases share: the watcher under test, its tenants, and how a phase's load is measured.
import { Database } from './database.ts';
import { type Driven, HttpLoad } from './http-load.ts';
import type { Options } from './options.ts';
import { rate, seconds } from './report.ts';
import { TenantBodies } from './tenant-bodies.ts';
import { openTenants, type Tenant } from './tenants.ts';
import { type CpuSeconds, WatcherProcess } from './watcher-process.ts';

const TENANT_COUNT = 4;
/** Expectations a body where it is not measured how they come. */
const FILLING = 500;

/** A phase's load, until the read model showed it. */
export interface Measured extends Driven {
  /** Records of the ledger that the read model did not show when the last answer came. */
  readonly lagRecords: number;
  /** Seconds until it showed them. */
  readonly catchUpSeconds: number;
  readonly cpu: CpuSeconds | undefined;
}

export class BenchRun {
  readonly bodies: TenantBodies;

  private constructor(
    readonly options: Options,
    readonly watcher: WatcherProcess,
    readonly tenants: readonly Tenant[],
    public database: Database,
  ) {
    this.bodies = new TenantBodies(options.scale, tenants);
  }

  static async start(options: Options): Promise<BenchRun> {
    const watcher = await WatcherProcess.create();
    await watcher.start();
    const tenants = await openTenants(watcher.url, TENANT_COUNT);
    return new BenchRun(options, watcher, tenants, await Database.connect(await watcher.databaseUrl()));
  }

  /** Sends all bodies, on so many connections a tenant, and waits until the read model has caught up. */
  async measure(
    path: string,
    bodies: ReadonlyMap<Tenant, readonly Buffer[]>,
    connectionsATenant: number,
  ): Promise<Measured> {
    const load = new HttpLoad(this.watcher.url, connectionsATenant);
    const before = await this.watcher.cpuSeconds();
    try {
      const driven = await load.drive(path, bodies);
      const lagRecords = await this.database.lagRecords();
      const catchUpSeconds = await this.database.caughtUp();
      const after = await this.watcher.cpuSeconds();
      const cpu = before && after && { node: after.node - before.node, postgres: after.postgres - before.postgres };
      return { ...driven, lagRecords, catchUpSeconds, cpu };
    } finally {
      await load.close();
    }
  }

  /** Records so many more that at least so many are open, and waits until the read model shows them. */
  async openAtLeast(openCount: number): Promise<void> {
    const missing = openCount - (await this.database.openCount());
    if (missing <= 0) return;
    const bodies = this.bodies.make(missing + FILLING * this.tenants.length, FILLING, (of) =>
      of.expectations(FILLING, FILLING),
    );
    await this.measure('/v1/observations', bodies, 2);
  }

  /** Ends the watcher and starts it again. Resolves to the milliseconds until it decides again. */
  async restart(how: 'stop' | 'kill'): Promise<number> {
    await this.database.close();
    await this.watcher[how]();
    const readyMs = await this.watcher.start();
    this.database = await Database.connect(await this.watcher.databaseUrl());
    return readyMs;
  }

  async end(): Promise<void> {
    await this.database.close();
    await this.watcher.remove();
  }
}

/** How far behind the read model was, and what the load cost. */
export function noteOf(measured: Measured, count: number): string {
  const { seconds: taken, catchUpSeconds, lagRecords, cpu } = measured;
  const folded = rate(count / (taken + catchUpSeconds));
  const lag = `read model ${lagRecords} records behind, even after ${seconds(catchUpSeconds)} (${folded})`;
  if (cpu === undefined) return lag;
  const each = (used: number): string => ((used * 1e6) / count).toFixed(0);
  return `${lag}; a core's µs each: node ${each(cpu.node)}, postgres ${each(cpu.postgres)}`;
}
