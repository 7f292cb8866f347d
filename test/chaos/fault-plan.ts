// Which fault comes when, drawn from a seed: somebody is killed or stands still every 20 to 40 seconds. The same seed
// draws the same; what is under way at that moment it does not know.
import { Chance } from '../simulation/chance.ts';

const leastPauseMs = 20_000;
const mostPauseMs = 40_000;
/** Long enough, mostly, that others take over what was the victim's; sometimes not. */
const leastAwayMs = 500;
const mostAwayMs = 15_000;

export interface Fault {
  /** When it begins, after the start. */
  readonly atMs: number;
  /** The name of a process, or `broker-` and its number. */
  readonly victim: string;
  /** It is killed, stands still, or ends in order; and is back after so long. */
  readonly manner: 'kill' | 'stand still' | 'end';
  readonly awayMs: number;
}

/** One at a time: a fault is over before the next begins. `processes` and `brokers` are who it may be. */
export function planFaults(
  seed: number,
  durationMs: number,
  { processes, brokers }: { readonly processes: readonly string[]; readonly brokers: readonly string[] },
): readonly Fault[] {
  const chance = new Chance(seed, 'faults');
  const faults: Fault[] = [];
  for (let atMs = chance.between(leastPauseMs, mostPauseMs); atMs < durationMs;) {
    const isBroker = chance.happens(0.2);
    const victim = chance.pick(isBroker ? brokers : processes);
    const manner = chance.pick(isBroker ? (['kill', 'stand still'] as const) : manners);
    faults.push({ atMs, victim, manner, awayMs: chance.between(leastAwayMs, mostAwayMs) });
    atMs += chance.between(leastPauseMs, mostPauseMs);
  }
  return faults;
}

const manners = ['kill', 'kill', 'kill', 'stand still', 'stand still', 'end'] as const;
