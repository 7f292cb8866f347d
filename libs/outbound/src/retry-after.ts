// When whoever was called asks to be called again: the header `Retry-After` (RFC 9110, §10.2.3).

/** In milliseconds from `nowMs`, from seconds or an HTTP date; undefined where it is neither. */
export function readRetryAfter(text: string | null, nowMs: number): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1_000;
  const instant = /\d{4}.*GMT$/.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(instant) ? undefined : Math.max(0, instant - nowMs);
}
