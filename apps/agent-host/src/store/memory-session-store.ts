// Sessions of one process: gone with it, and those that were written longest ago once there are too many.
import type { Json } from '#agent-handler';
import type { KeptSession, SessionKey, SessionStore } from './session-store.ts';

const mostSessions = 10_000;

export class MemorySessionStore implements SessionStore {
  private readonly kept = new Map<string, KeptSession>();

  constructor(private readonly most = mostSessions) {}

  async read(key: SessionKey): Promise<KeptSession | undefined> {
    return this.kept.get(nameOf(key));
  }

  async write(key: SessionKey, version: number, value: Json): Promise<boolean> {
    if ((this.kept.get(nameOf(key))?.version ?? 0) !== version) return false;
    // Written last, it is the last to go.
    this.kept.delete(nameOf(key));
    this.kept.set(nameOf(key), { value, version: version + 1 });
    const [oldest] = this.kept.keys();
    if (this.kept.size > this.most && oldest !== undefined) this.kept.delete(oldest);
    return true;
  }
}

function nameOf({ application, user, contextId }: SessionKey): string {
  return JSON.stringify([application, user, contextId]);
}
