// What a status says of the moment, and not of what was sent.

/** The request was not read to its end (408), not wanted yet (425), or turned away by who counts requests (429). */
export const passingStatuses: ReadonlySet<number> = new Set([408, 425, 429]);
