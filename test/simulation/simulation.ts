// One seed, from its first input to rest: disturbed as the seed has it, then left alone, and checked throughout.
import { Agents } from './agents.ts';
import { Crew } from './crew.ts';
import { Director } from './director.ts';
import { disturb } from './disturbances.ts';
import { Oracle } from './oracle/oracle.ts';
import { checkDispatchStates, checkProjection, projectionLag } from './oracle/projection.ts';
import type { Rig } from './rig.ts';
import { SharedLog } from './shared-log.ts';
import { SharedSnapshots } from './simulated-snapshots.ts';
import { SimulationFailure } from './simulation-failure.ts';
import { calm, type Swarm } from './swarm.ts';
import { Trace } from './trace.ts';
import { dispatching, projecting, snapshotting, timekeeping } from './work.ts';
import { World } from './world.ts';

/** How a seed's run went. */
export interface Report {
  readonly seed: number;
  readonly stepCount: number;
  readonly lapseCount: number;
  /** The same whenever the same seed runs on the same code. */
  readonly digest: string;
  readonly swarm: Swarm;
  /** What went wrong, and the last lines of the trace; absent where nothing did. */
  readonly failure?: string;
  readonly traceEnd?: readonly string[];
}

/** In active time: all faults are over, and what is left to do needs no longer. */
const REST_WITHIN_MS = 20 * 60_000;
const START_MS = Date.parse('2026-09-01T00:00:00Z');
/** What is silent for so long is looked at again. */
const LOOK_MS = 500;

export class Simulation {
  private readonly world: World;
  private readonly log: SharedLog;
  private readonly agents: Agents;
  private readonly oracle: Oracle;
  private readonly director: Director;
  private readonly snapshots = new SharedSnapshots();
  private readonly timekeepers: Crew;
  private readonly snapshotters: Crew;
  private readonly dispatchers: Crew;
  private readonly projectors: Crew;

  constructor(
    private readonly rig: Rig,
    seed: number,
    onLine?: (line: string) => void,
  ) {
    const world = new World(seed, new Trace(onLine), START_MS);
    const { swarm } = world;
    this.world = world;
    this.log = new SharedLog(world);
    this.agents = new Agents(world);
    this.oracle = new Oracle(world, this.log, this.agents);
    this.director = new Director(world, this.log, this.oracle);
    this.agents.onReceived = (agent, taskId, contextId) => this.director.follow(agent, taskId, contextId);
    const stores = { log: this.log, snapshots: this.snapshots };
    this.timekeepers = new Crew(world, 'timekeeper', swarm.timekeeperCount, timekeeping(stores));
    this.snapshotters = new Crew(world, 'snapshotter', 0, snapshotting(stores));
    const dispatcherCount = swarm.hasDispatcher ? 1 : 0;
    this.dispatchers = new Crew(
      world,
      'dispatcher',
      dispatcherCount,
      dispatching(stores, this.agents, rig.dispatchSeat),
    );
    const projectorCount = swarm.hasProjector ? swarm.projectorCount : 0;
    this.projectors = new Crew(world, 'projector', projectorCount, projecting(stores, rig.projectorSeats));
  }

  async run(): Promise<Report> {
    const { world } = this;
    const onRejection = (error: unknown): void => world.fail(`a bug ends an instance: ${String(error)}`, error);
    process.on('unhandledRejection', onRejection);
    try {
      await this.rig.begin();
      await this.live();
      return this.report();
    } catch (error) {
      const failure =
        error instanceof SimulationFailure ? error : new SimulationFailure(String(error), { cause: error });
      const { cause } = failure;
      const stack = cause instanceof Error ? `\n${cause.stack ?? ''}` : '';
      return { ...this.report(), failure: `${failure.message}${stack}`, traceEnd: world.trace.end };
    } finally {
      for (const crew of this.crews) {
        crew.wantedCount = 0;
        for (const instance of crew.instances) instance.kill('the run is over');
      }
      await world.settle();
      process.off('unhandledRejection', onRejection);
    }
  }

  private get crews(): readonly Crew[] {
    return [this.timekeepers, this.snapshotters, this.dispatchers, this.projectors];
  }

  private async live(): Promise<void> {
    for (const crew of this.crews) crew.start();
    const cease = disturb({
      ...{ world: this.world, log: this.log, snapshots: this.snapshots, agents: this.agents },
      ...{ timekeepers: this.timekeepers, snapshotters: this.snapshotters, crews: this.crews },
      loseTables: () => this.loseTables(),
    });
    await this.director.tell();
    cease();
    this.calmDown();
    await this.untilRest(() => this.unrest());
    // Nobody says anything: what is due lapses all the same.
    this.world.leap(this.world.chance.pick([40, 120, 120]) * 86_400_000);
    await this.untilRest(() => this.unrest());
    await this.end(this.timekeepers, this.dispatchers, this.snapshotters);
    await this.untilRest(() => this.projectionUnrest());
    await this.end(this.projectors);
    this.oracle.checkAgainstModel();
    const { hasDispatcher, hasProjector } = this.world.swarm;
    if (hasDispatcher) this.oracle.dispatch.checkReceived();
    if (hasProjector) await checkProjection(this.rig, this.log);
    if (hasDispatcher && hasProjector) await checkDispatchStates(this.rig);
  }

  /** No more faults: right clocks, agents that answer, one instance of each role. */
  private calmDown(): void {
    const { world } = this;
    world.note('all faults are over');
    // One that has all partitions goes on as it is; where they were shared, another takes them all.
    const [kept] = world.swarm.timekeeperCount === 1 ? this.timekeepers.instances.slice(-1) : [];
    world.swarm = calm(world.swarm);
    world.outages.clear();
    this.log.skewMs = 0;
    for (const { tenant, agentId } of this.director.agentsOfTenants) this.agents.of(tenant, agentId).mood = 'well';
    this.timekeepers.wantedCount = 1;
    for (const instance of this.timekeepers.instances) if (instance !== kept) instance.kill('one timekeeper is enough');
    this.projectors.wantedCount = Math.min(1, this.projectors.wantedCount);
    for (const instance of this.crews.flatMap((crew) => crew.instances)) instance.skewMs = 0;
    for (const crew of this.crews) crew.start();
    this.director.declareAll();
    world.leap(world.chance.pick([0, 0, 2]) * 86_400_000);
  }

  /** Waits until there is nothing left that keeps the watcher from its rest. */
  private async untilRest(unrestOf: () => Promise<string | undefined>): Promise<void> {
    const { world } = this;
    const latestMs = world.activeMs + REST_WITHIN_MS;
    let unrest: string | undefined;
    do {
      await world.runFor(LOOK_MS);
      unrest = await unrestOf();
      if (unrest !== undefined && world.activeMs > latestMs) {
        throw new SimulationFailure(`${REST_WITHIN_MS} ms after the last fault: ${unrest}`);
      }
    } while (unrest !== undefined);
  }

  private async unrest(): Promise<string | undefined> {
    const { oracle, rig, world } = this;
    const undecided = this.director.unrest() ?? oracle.unrest();
    if (undecided !== undefined) return undecided;
    if (world.swarm.hasDispatcher) {
      const [lapse] = oracle.dispatch.outstanding();
      if (lapse !== undefined) return `${lapse} has neither reached its agent nor is it void`;
      const [row] = await rig.dispatchDatabase.look('SELECT state, lapsed FROM duewatch_dispatch.outbox');
      if (row !== undefined) return `the outbox still has ${JSON.stringify(row)}`;
    }
    return this.projectionUnrest();
  }

  private async projectionUnrest(): Promise<string | undefined> {
    return this.world.swarm.hasProjector ? projectionLag(this.rig, this.log) : undefined;
  }

  /** All of them are asked to stop, and do. */
  private async end(...crews: readonly Crew[]): Promise<void> {
    const { world } = this;
    for (const crew of crews) {
      crew.wantedCount = 0;
      for (const instance of crew.instances) instance.stop();
    }
    await world.runFor(60_000);
    const left = crews.flatMap((crew) => crew.instances).map(({ name }) => name);
    if (left.length > 0) throw new SimulationFailure(`asked to stop a minute ago: ${left.join()}`);
  }

  private async loseTables(): Promise<void> {
    const { world, rig } = this;
    for (const instance of this.dispatchers.instances) instance.kill('its tables are lost');
    await rig.dispatchDatabase.lose();
    this.oracle.dispatch.tablesLost();
    world.note('the dispatcher’s tables are lost');
  }

  private report(): Report {
    const { seed, stepCount, trace, swarm } = this.world;
    return { seed, stepCount, lapseCount: this.oracle.dispatch.lapseCount, digest: trace.digest(), swarm };
  }
}
