// How large and how deep a body may be.

/** Bytes of a request's body. */
export const maxBodyBytes = 10_000_000;
/** Bytes of all bodies that one tenant's requests hold at once. */
export const maxTenantHeldBytes = 30_000_000;
/** Bytes of all bodies that requests hold at once. */
export const maxHeldBytes = 120_000_000;
/** Bytes of one line of NDJSON. */
export const maxLineBytes = 1_000_000;
/** Items of an array or lines of NDJSON in one request. */
export const maxItemCount = 100_000;
/** Arrays and objects within each other. */
export const maxDepth = 64;
