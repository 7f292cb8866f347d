// How long a client will wait for a decision: `Prefer: wait=N` (RFC 7240).

/** Seconds without the header. */
const defaultWaitSeconds = 5;
/** More is taken as this. */
const maxWaitSeconds = 60;

/** Milliseconds. A preference that cannot be read is none. */
export function readWaitMs(prefer: string | readonly string[] | undefined): number {
  const text = typeof prefer === 'string' ? prefer : (prefer ?? []).join(',');
  const match = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=$|[,;])/i.exec(text);
  return 1_000 * Math.min(match === null ? defaultWaitSeconds : Number(match[1]), maxWaitSeconds);
}
