// What happens to the watcher beside single calls: kills, take-overs, stops, outages, clocks that step, lost caches.
import type { Agents } from './agents.ts';
import type { Crew } from './crew.ts';
import type { PortName } from './instance.ts';
import type { SharedLog } from './shared-log.ts';
import type { SharedSnapshots } from './simulated-snapshots.ts';
import type { World } from './world.ts';

export interface Disturbed {
  readonly world: World;
  readonly log: SharedLog;
  readonly snapshots: SharedSnapshots;
  readonly agents: Agents;
  readonly timekeepers: Crew;
  readonly snapshotters: Crew;
  readonly crews: readonly Crew[];
  /** Loses the dispatcher's tables, or makes the read model again. */
  readonly loseTables: () => Promise<void>;
}

/** Begins to disturb, and goes on until the swarm is calm. */
export function disturb(disturbed: Disturbed): () => void {
  const { world } = disturbed;
  let isOver = false;
  const next = (): void => {
    world.after(world.chance.below(6_000), 'something happens', async () => {
      if (isOver) return;
      await disturbOnce(disturbed);
      next();
    });
  };
  next();
  return () => void (isOver = true);
}

const kinds = [
  'take over',
  'stop',
  'kill',
  'outage',
  'clock',
  'log clock',
  'snapshot',
  'tables',
  'mood',
  'mood',
] as const;

async function disturbOnce(disturbed: Disturbed): Promise<void> {
  const { world, log, snapshots, agents, timekeepers, snapshotters, crews } = disturbed;
  const { chance, swarm } = world;
  const instances = crews.flatMap((crew) => crew.instances);
  switch (chance.pick(kinds)) {
    case 'take over':
      if (swarm.hasTakeOvers && timekeepers.instances.length < 3) timekeepers.startOne();
      return;
    case 'stop':
      if (swarm.hasStops && instances.length > 0) chance.pick(instances).stop();
      return;
    case 'kill':
      if (swarm.hasKills && instances.length > 0) chance.pick(instances).kill('killed');
      return;
    case 'outage':
      if (swarm.hasOutages) outage(world, chance.pick(['log', 'database', 'store', 'agent']));
      return;
    case 'clock':
      if (!swarm.hasClockSteps || instances.length === 0) return;
      chance.pick(instances).skewMs = chance.between(-25_000, 25_000);
      return;
    case 'log clock': {
      stepLogClock(world, log);
      return;
    }
    case 'snapshot':
      if (!swarm.hasSnapshots) return;
      if (chance.happens(0.2)) snapshots.deleteAll();
      else snapshotters.startOne();
      return;
    case 'tables':
      if (swarm.hasLostTables && chance.happens(0.3)) await disturbed.loseTables();
      return;
    case 'mood':
      if (swarm.hasAgentTrouble && agents.all.length > 0) chance.pick(agents.all).changeMood();
  }
}

function outage(world: World, port: PortName): void {
  const durationMs = world.chance.below(15_000);
  world.note(`the ${port} is away for ${durationMs} ms`);
  world.outages.add(port);
  world.after(durationMs, `the ${port} is back`, () => void world.outages.delete(port));
}

/** A step of seconds, or back by hours: the log's clock must never be far ahead of a timekeeper's own. */
function stepLogClock({ chance, swarm }: World, log: SharedLog): void {
  if (swarm.hasGreatSteps && chance.happens(0.3)) log.skewMs = -chance.below(4 * 3_600_000);
  else if (swarm.hasClockSteps) log.skewMs = chance.between(-25_000, 25_000);
}
