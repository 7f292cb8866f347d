// Sessions of one process: gone with it, and those that were used longest ago once there are too many.
import type { Json } from '#agent-handler';
import { type Clock, systemClock } from '#runtime';
import type { KeptSession, SessionKey, SessionStore } from './session-store.ts';

const mostSessions = 10_000;

interface Kept extends KeptSession {
  readonly application: string;
  readonly usedAtMs: number;
}

export class MemorySessionStore implements SessionStore {
  /** Those that were used longest ago first. */
  private readonly kept = new Map<string, Kept>();

  constructor(
    private readonly most = mostSessions,
    private readonly clock: Clock = systemClock,
  ) {}

  async read(key: SessionKey): Promise<KeptSession | undefined> {
    const kept = this.kept.get(nameOf(key));
    if (kept === undefined) return undefined;
    const { value, version } = kept;
    this.use(key, { value, version });
    return { value, version };
  }

  async write(key: SessionKey, version: number, value: Json): Promise<boolean> {
    if ((this.kept.get(nameOf(key))?.version ?? 0) !== version) return false;
    this.use(key, { value, version: version + 1 });
    const [oldest] = this.kept.keys();
    if (this.kept.size > this.most && oldest !== undefined) this.kept.delete(oldest);
    return true;
  }

  async letGo(application: string, unusedForMs: number, mostCount: number): Promise<number> {
    const untilMs = this.clock.now() - unusedForMs;
    const unused = [...this.kept]
      .filter(([, kept]) => kept.application === application && kept.usedAtMs <= untilMs)
      .slice(0, mostCount);
    for (const [name] of unused) this.kept.delete(name);
    return unused.length;
  }

  private use(key: SessionKey, session: KeptSession): void {
    const name = nameOf(key);
    this.kept.delete(name);
    this.kept.set(name, { ...session, application: key.application, usedAtMs: this.clock.now() });
  }
}

function nameOf({ application, user, contextId }: SessionKey): string {
  return JSON.stringify([application, user, contextId]);
}
