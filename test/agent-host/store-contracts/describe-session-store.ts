// The contract of the port `SessionStore`, for every implementation.
import type { SessionStore } from '../../../apps/agent-host/src/store/session-store.ts';

export interface SessionStoreSubject {
  readonly sessions: SessionStore;
  close(): Promise<void>;
}

export function describeSessionStore(place: string, open: () => Promise<SessionStoreSubject>): void {
  describe(`sessions kept in ${place}`, () => describeSessions(open));
}

function describeSessions(open: () => Promise<SessionStoreSubject>): void {
  let subject: SessionStoreSubject;
  let sessions: SessionStore;
  let count = 0;
  const key = () => ({ application: `app-${count}`, user: 'alice', contextId: 'context-1' });
  beforeAll(async () => {
    subject = await open();
    ({ sessions } = subject);
  });
  afterAll(() => subject.close());
  beforeEach(() => (count += 1));

  it('are as they were written last', async () => {
    expect(await sessions.read(key())).toBeUndefined();
    expect(await sessions.write(key(), 0, { a: [1, null] })).toBe(true);
    expect(await sessions.write(key(), 1, 'next')).toBe(true);
    expect(await sessions.read(key())).toEqual({ value: 'next', version: 2 });
  });

  it('are not written by who has not read the last of them, of two at once by one', async () => {
    const both = await Promise.all([sessions.write(key(), 0, 'a'), sessions.write(key(), 0, 'b')]);
    expect(both.filter(Boolean)).toHaveLength(1);
    expect(await sessions.write(key(), 0, 'late')).toBe(false);
    expect(await sessions.write(key(), 7, 'early')).toBe(false);
    expect((await sessions.read(key()))?.version).toBe(1);
  });

  it('are of one user and one application', async () => {
    await sessions.write(key(), 0, 'a');
    for (const strange of [{ user: 'bob' }, { application: 'else' }, { contextId: 'context-2' }]) {
      expect(await sessions.read({ ...key(), ...strange })).toBeUndefined();
    }
    expect(await sessions.write({ ...key(), contextId: 'context-3' }, 1, 'b')).toBe(false);
  });
}
