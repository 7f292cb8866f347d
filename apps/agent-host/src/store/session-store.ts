// What is remembered of a context, apart from tasks: neither store configures the other.
import type { Json } from '#agent-handler';
import type { TaskScope } from './task-store.ts';

export interface SessionKey extends TaskScope {
  readonly contextId: string;
}

export interface KeptSession {
  readonly value: Json;
  /** Rises with each write; 0 before the first. */
  readonly version: number;
}

/** Every method may throw `StorageUnavailableError` (retryable). */
export interface SessionStore {
  read(key: SessionKey): Promise<KeptSession | undefined>;
  /** False where it was written since that version; nothing is changed then. */
  write(key: SessionKey, version: number, value: Json): Promise<boolean>;
  /**
   * Removes sessions that nobody has read or written for so long, so many at most; how many. Of reads some are noted, an
   * hour apart at least.
   */
  letGo(application: string, unusedForMs: number, mostCount: number): Promise<number>;
}
