// Reads an instant just well enough to see that it is implausible. It must never decide anything else: the decider's
// own strict reading of instants is the only one that counts.

const pattern = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/i;

/** Epoch milliseconds, or undefined where the text is no instant. */
export function readInstant(text: unknown): number | undefined {
  const match = typeof text === 'string' ? pattern.exec(text) : null;
  if (match === null) return undefined;
  const [, date, minute, second, fraction = '', offset = 'Z'] = match;
  const millis = second === '60' ? '59.999' : `${second}.${fraction.slice(0, 3).padEnd(3, '0')}`;
  const instant = Date.parse(`${date}T${minute}:${millis}${offset.toUpperCase()}`);
  return Number.isNaN(instant) ? undefined : instant;
}
