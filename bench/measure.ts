// Seconds and bytes. Only this file of the bench reads the machine's clock and memory.
import { cpus } from 'node:os';

/** Runs a function; returns what it gave and the seconds it took. */
export function timed<T>(run: () => T): { readonly result: T; readonly seconds: number } {
  const started = process.hrtime.bigint();
  const result = run();
  return { result, seconds: Number(process.hrtime.bigint() - started) / 1e9 };
}

/** Bytes after everything that nobody holds is gone. */
export interface Memory {
  /** Of the heap and the buffers beside it. */
  readonly held: number;
  readonly rss: number;
}

export function memory(): Memory {
  if (globalThis.gc === undefined) throw new Error('run it with node --expose-gc');
  for (let round = 0; round < 3; round += 1) globalThis.gc();
  const { heapUsed, arrayBuffers, rss } = process.memoryUsage();
  return { held: heapUsed + arrayBuffers, rss };
}

/** One line: the machine and the Node that runs. */
export function describeMachine(): string {
  const all = cpus();
  return `${all[0]?.model ?? 'unknown processor'}, ${all.length} cores, node ${process.version}`;
}

/** How much of the time since the process started it was given a processor: below 100 % others were, and seconds mean less. */
export function describeShare(): string {
  const { user, system } = process.cpuUsage();
  const share = (user + system) / 1e6 / process.uptime();
  return `on a processor ${Math.round(share * 100)} % of ${Math.round(process.uptime())} s, its own helpers counted`;
}
