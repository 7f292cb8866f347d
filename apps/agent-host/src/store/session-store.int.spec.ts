// The contract of the port `SessionStore`, run against every implementation.
import type { DataSource } from 'typeorm';
import { createDatabase, type TestDatabase } from '#testing';
import { openHostDatabase } from './host-database.ts';
import { MemorySessionStore } from './memory-session-store.ts';
import { PostgresSessionStore } from './postgres-session-store.ts';
import type { SessionStore } from './session-store.ts';

describe.each(['memory', 'PostgreSQL'])('sessions kept in %s', (place) => {
  let test: TestDatabase | undefined;
  let database: DataSource | undefined;
  let sessions: SessionStore;
  let count = 0;
  const key = () => ({ application: `app-${count}`, user: 'alice', contextId: 'context-1' });
  beforeAll(async () => {
    if (place === 'memory') sessions = new MemorySessionStore();
    else {
      test = await createDatabase();
      database = await openHostDatabase(test.url);
      sessions = new PostgresSessionStore(database);
    }
  });
  afterAll(async () => {
    await database?.destroy();
    await test?.drop();
  });
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
});
