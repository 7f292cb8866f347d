// The contract of the port `SessionStore`, run against every implementation.
import type { DataSource } from 'typeorm';
import { systemClock } from '#runtime';
import { createDatabase, type TestDatabase } from '#testing';
import { openHostDatabase } from './host-database.ts';
import { MemorySessionStore } from './memory-session-store.ts';
import { PostgresSessionStore } from './postgres-session-store.ts';
import type { SessionStore } from './session-store.ts';

const hourMs = 3_600_000;

describe.each(['memory', 'PostgreSQL'])('sessions kept in %s', (place) => {
  let test: TestDatabase | undefined;
  let database: DataSource | undefined;
  let sessions: SessionStore;
  let count = 0;
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  const key = () => ({ application: `app-${count}`, user: 'alice', contextId: 'context-1' });
  beforeAll(async () => {
    if (place === 'memory') sessions = new MemorySessionStore(undefined, clock);
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
  /** All that was used is so three hours longer ago. */
  const age = async () => {
    aheadMs += 3 * hourMs;
    await database?.query(`UPDATE duewatch_host.session SET used_at = used_at - interval '3 hours'`);
  };

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

  it('are let go of once nobody has used them for so long, so many at a time', async () => {
    for (const contextId of ['a', 'b', 'c']) await sessions.write({ ...key(), contextId }, 0, 1);
    const { application } = key();
    expect(await sessions.letGo('else', 0, 10)).toBe(0);
    expect(await sessions.letGo(application, 600_000, 10)).toBe(0);
    expect(await sessions.letGo(application, 0, 2)).toBe(2);
    expect(await sessions.read({ ...key(), contextId: 'a' })).toBeUndefined();
    expect(await sessions.read({ ...key(), contextId: 'c' })).toEqual({ value: 1, version: 1 });
    expect(await sessions.write({ ...key(), contextId: 'a' }, 1, 2)).toBe(false);
    expect(await sessions.write({ ...key(), contextId: 'a' }, 0, 2)).toBe(true);
  });

  it('are used by who reads them', async () => {
    for (const contextId of ['read', 'unread']) await sessions.write({ ...key(), contextId }, 0, 1);
    await age();
    await sessions.read({ ...key(), contextId: 'read' });
    expect(await sessions.letGo(key().application, 2 * hourMs, 10)).toBe(1);
    expect(await sessions.read({ ...key(), contextId: 'read' })).toEqual({ value: 1, version: 1 });
  });

  it('are of one user and one application', async () => {
    await sessions.write(key(), 0, 'a');
    for (const strange of [{ user: 'bob' }, { application: 'else' }, { contextId: 'context-2' }]) {
      expect(await sessions.read({ ...key(), ...strange })).toBeUndefined();
    }
    expect(await sessions.write({ ...key(), contextId: 'context-3' }, 1, 'b')).toBe(false);
  });
});
