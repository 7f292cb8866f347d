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
/** Members of one object. */
export const maxMemberCount = 10_000;
/** Values of one body, those within others included. */
export const maxValueCount = 1_000_000;
/** Bytes that are read in one turn of the event loop; a body with more waits for turns of its tenant's. */
export const sliceBytes = 256_000;
/** Requests with a body that one tenant may have under way. */
export const maxTenantRequestCount = 1_000;
/** Requests with a body that may be under way. */
export const maxRequestCount = 5_000;
