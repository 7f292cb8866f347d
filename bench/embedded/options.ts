// What a run is to do, from the environment.

export interface Options<PhaseName extends string = string> {
  /** Counts and durations are multiplied by it. */
  readonly scale: number;
  readonly phases: ReadonlySet<PhaseName>;
}

/** `BENCH_SCALE` (1) and `BENCH_ONLY` (all), the latter names with commas between. Throws where one is none. */
export function readOptions<PhaseName extends string>(phaseNames: readonly PhaseName[]): Options<PhaseName> {
  const environment = process.env;
  const scale = Number(environment['BENCH_SCALE'] ?? '1');
  if (!(scale > 0)) throw new Error('BENCH_SCALE must be a number above 0');
  const names = (environment['BENCH_ONLY'] ?? phaseNames.join()).split(',');
  const phases = new Set(
    names.map((name) => {
      const known = phaseNames.find((phase) => phase === name);
      if (known === undefined) throw new Error(`BENCH_ONLY must name some of ${phaseNames.join(', ')}, not ${name}`);
      return known;
    }),
  );
  return { scale, phases };
}
