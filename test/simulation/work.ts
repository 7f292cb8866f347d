// What each role does: the product's own code between simulated ports.
import { FencedError, LogUnavailableError, type Serve, SoleShare } from '#event-log';
import type { Agents } from './agents.ts';
import { askedToStop, type Work } from './crew.ts';
import type { Seat } from './database/seat.ts';
import type { Instance } from './instance.ts';
import { Dispatcher, makeSnapshot, PartitionLoop, Projector } from './product.ts';
import { PARTITION_COUNT, type SharedLog } from './shared-log.ts';
import { SimulatedLog } from './simulated-log.ts';
import { type SharedSnapshots, SimulatedSnapshots } from './simulated-snapshots.ts';

export interface Stores {
  readonly log: SharedLog;
  readonly snapshots: SharedSnapshots;
}

const partitions = Array.from({ length: PARTITION_COUNT }, (_, partition) => partition);

/** A timekeeper: a loop a partition, again after a fault, over once it is fenced; a partition may be another's. */
export function timekeeping({ log, snapshots }: Stores): Work {
  return async (instance) => {
    const { world, stopping } = instance;
    const isForOne = world.swarm.timekeeperCount > 1 && world.chance.happens(0.3);
    const own = isForOne ? [world.chance.pick(partitions)] : partitions;
    const ports = [new SimulatedLog(log, instance), new SimulatedSnapshots(snapshots, instance)] as const;
    await Promise.all(
      own.map(async (partition) => {
        const loop = new PartitionLoop(ports[0], instance.clock, partition, 'simulated', ports[1]);
        while (!stopping.signal.aborted) {
          try {
            await loop.run(stopping.signal);
          } catch (error) {
            if (error instanceof FencedError) {
              stopping.abort();
              return;
            }
            if (!(error instanceof LogUnavailableError)) throw error;
            await instance.clock.sleep(100 + world.chance.below(2_000), stopping.signal);
          }
        }
      }),
    );
  };
}

/** A snapshot of each partition, once; it may fail. */
export function snapshotting({ log, snapshots }: Stores): Work {
  return async (instance) => {
    for (const partition of partitions) {
      const ports = [new SimulatedLog(log, instance), new SimulatedSnapshots(snapshots, instance)] as const;
      try {
        await makeSnapshot(...ports, partition, instance.stopping.signal);
      } catch (error) {
        if (!(error instanceof LogUnavailableError)) throw error;
      }
    }
  };
}

export function dispatching({ log }: Stores, agents: Agents, seat: Seat): Work {
  return async (instance) => {
    const dispatcher = new Dispatcher(
      new SimulatedLog(log, instance),
      seat.take(instance),
      agents.directoryFor(instance),
      agents.messengerFor(instance),
      instance.clock,
      { fraction: () => instance.world.chance.fraction() },
      undefined,
      { backoff: { baseMs: 500, capMs: 20_000 } },
    );
    await serving(instance, 'dispatcher', (partition, signal) => dispatcher.serve(partition, signal));
  };
}

export function projecting({ log }: Stores, seats: readonly Seat[]): Work {
  const taken = new Map<Seat, Instance>();
  return async (instance) => {
    const seat = seats.find((one) => taken.get(one)?.isAlive !== true);
    if (seat === undefined) return;
    taken.set(seat, instance);
    const projector = new Projector(new SimulatedLog(log, instance), seat.take(instance), instance.clock);
    await serving(instance, 'projector', (partition, signal) => projector.serve(partition, signal));
  };
}

/** All partitions, until the instance is asked to stop. */
async function serving(instance: Instance, role: 'dispatcher' | 'projector', serve: Serve): Promise<void> {
  const share = new SoleShare(PARTITION_COUNT, (_, partition) =>
    instance.world.fail(`${instance.name} is fenced off partition ${partition}`),
  );
  const membership = share.join(role, serve);
  await askedToStop(instance);
  await membership.leave();
}
