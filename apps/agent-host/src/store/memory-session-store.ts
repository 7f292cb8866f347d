// Sessions of one process: gone with it.
import type { Json } from '#agent-handler';
import type { KeptSession, SessionKey, SessionStore } from './session-store.ts';

export class MemorySessionStore implements SessionStore {
  private readonly kept = new Map<string, KeptSession>();

  async read(key: SessionKey): Promise<KeptSession | undefined> {
    return this.kept.get(nameOf(key));
  }

  async write(key: SessionKey, version: number, value: Json): Promise<boolean> {
    if ((this.kept.get(nameOf(key))?.version ?? 0) !== version) return false;
    this.kept.set(nameOf(key), { value, version: version + 1 });
    return true;
  }
}

function nameOf({ application, user, contextId }: SessionKey): string {
  return JSON.stringify([application, user, contextId]);
}
