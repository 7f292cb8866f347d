// A turn's hold on its session: what it has read is what it replaces.
import type { Json, Session } from '#agent-handler';
import { checkJson } from './check-json.ts';
import type { SessionKey, SessionStore } from '../store/session-store.ts';

/** Another turn has replaced the session since this one read it. */
export class SessionOvertakenError extends Error {
  override readonly name = 'SessionOvertakenError';
  readonly retryable = true;
}

export class TurnSession implements Session {
  readonly contextId: string;
  private version: number | undefined;

  constructor(
    private readonly sessions: SessionStore,
    private readonly key: SessionKey,
  ) {
    this.contextId = key.contextId;
  }

  async read(): Promise<Json | undefined> {
    const kept = await this.sessions.read(this.key);
    this.version = kept?.version ?? 0;
    return kept?.value;
  }

  async write(value: Json): Promise<void> {
    checkJson(value, 'the session');
    if (this.version === undefined) await this.read();
    const version = this.version ?? 0;
    const isWritten = await this.sessions.write(this.key, version, value);
    if (!isWritten) throw new SessionOvertakenError('another turn has replaced the session: read it again');
    this.version = version + 1;
  }
}
