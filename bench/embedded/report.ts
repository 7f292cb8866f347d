// The table that is printed: what was measured, its goal, and what the limit of the same run makes of it.

export interface Row {
  readonly what: string;
  readonly reached: string;
  /** Absent where there is none. */
  readonly goal?: string;
  readonly isMet?: boolean;
  readonly note?: string;
}

export const rate = (value: number): string => `${Math.round(value).toLocaleString('en')}/s`;
export const milliseconds = (value: number): string => `${value.toFixed(1)} ms`;
export const seconds = (value: number): string => `${value.toFixed(2)} s`;
export const mebibytes = (value: number): string => `${Math.round(value / 1_048_576)} MiB`;

/** The value below which that share of them is; NaN where there is none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export function atLeast(value: number, goal: number): Pick<Row, 'reached' | 'goal' | 'isMet'> {
  return { reached: rate(value), goal: `≥ ${rate(goal)}`, isMet: value >= goal };
}

export function atMost(
  value: number,
  goal: number,
  write: (value: number) => string,
): Pick<Row, 'reached' | 'goal' | 'isMet'> {
  return { reached: write(value), goal: `≤ ${write(goal)}`, isMet: value <= goal };
}

const widths = [46, 14, 14, 6];

/** One line, printed as soon as it is known: a run that is cut short has said what it knew. */
export function printRow({ what, reached, goal = '', isMet, note = '' }: Row): void {
  const met = isMet === undefined ? '' : isMet ? 'met' : 'not';
  const cells = [
    what.padEnd(widths[0] ?? 0),
    ...[reached, goal, met].map((cell, at) => cell.padStart(widths[at + 1] ?? 0)),
  ];
  console.log(`${cells.join(' ')}  ${note}`.trimEnd());
}
