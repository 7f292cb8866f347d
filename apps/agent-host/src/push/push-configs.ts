// Where push configs are kept, beside the tasks that they are for. Implementations: PostgreSQL, Redis; one contract test.
import type { PushStore } from './push-store.ts';

/** What `PushStore`, the one in PostgreSQL, does. Every method may throw `StorageUnavailableError` (retryable). */
export type PushConfigs = Pick<PushStore, keyof PushStore>;
