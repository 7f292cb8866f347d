// Which faults a seed has, and how often: every seed another mixture, so that none hides behind the others.
import type { Chance } from './chance.ts';

/** Rates are probabilities a call, where nothing else is said. */
export interface Swarm {
  readonly tenantCount: number;
  readonly hasDispatcher: boolean;
  readonly hasProjector: boolean;
  /** How many timekeepers are kept running: with more than one, they take partitions from each other. */
  readonly timekeeperCount: number;
  readonly projectorCount: number;
  /** The caller dies before its call has an effect, or after, before it has the answer. */
  readonly crashRate: number;
  /** The port fails, with the effect done or not. */
  readonly failRate: number;
  readonly slowRate: number;
  readonly quickMs: number;
  readonly slowMs: number;
  readonly shortReadRate: number;
  readonly earlyWakeRate: number;
  /** A statement of a transaction is told that it has met a conflict. */
  readonly conflictRate: number;
  /** A port is away for a while; a disturbance. */
  readonly hasOutages: boolean;
  readonly hasTakeOvers: boolean;
  readonly hasStops: boolean;
  readonly hasKills: boolean;
  readonly hasClockSteps: boolean;
  /** The log's clock goes back by hours. */
  readonly hasGreatSteps: boolean;
  readonly hasSnapshots: boolean;
  /** The dispatcher's tables are lost, the read model is made again. */
  readonly hasLostTables: boolean;
  readonly hasAgentTrouble: boolean;
  /** Of inputs. */
  readonly duplicateRate: number;
  readonly delayRate: number;
  readonly garbageRate: number;
}

export function drawSwarm(chance: Chance): Swarm {
  const maybe = (rate: number): number => (chance.happens(0.6) ? rate * chance.fraction() : 0);
  const isOn = (): boolean => chance.happens(0.5);
  return {
    tenantCount: chance.between(1, 4),
    hasDispatcher: chance.happens(0.8),
    hasProjector: chance.happens(0.6),
    timekeeperCount: chance.between(1, 2),
    projectorCount: chance.between(1, 2),
    crashRate: maybe(0.02),
    failRate: maybe(0.04),
    slowRate: maybe(0.1),
    quickMs: chance.pick([1, 3, 20]),
    slowMs: chance.pick([200, 2_000, 8_000]),
    shortReadRate: maybe(0.5),
    earlyWakeRate: maybe(0.3),
    conflictRate: maybe(0.03),
    hasOutages: isOn(),
    hasTakeOvers: isOn(),
    hasStops: isOn(),
    hasKills: isOn(),
    hasClockSteps: isOn(),
    hasGreatSteps: chance.happens(0.3),
    hasSnapshots: isOn(),
    hasLostTables: chance.happens(0.3),
    hasAgentTrouble: chance.happens(0.8),
    duplicateRate: maybe(0.2),
    delayRate: maybe(0.2),
    garbageRate: maybe(0.1),
  };
}

/** What is left once faults stop: everything answers, and soon. */
export function calm(swarm: Swarm): Swarm {
  return {
    ...swarm,
    timekeeperCount: 1,
    projectorCount: 1,
    crashRate: 0,
    failRate: 0,
    slowRate: 0,
    quickMs: 3,
    shortReadRate: 0,
    earlyWakeRate: 0,
    conflictRate: 0,
    hasOutages: false,
    hasTakeOvers: false,
    hasStops: false,
    hasKills: false,
    hasClockSteps: false,
    hasGreatSteps: false,
    hasSnapshots: false,
    hasLostTables: false,
    hasAgentTrouble: false,
  };
}
