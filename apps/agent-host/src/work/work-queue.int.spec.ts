// The contract of the port `WorkQueue`, run against every implementation.
import type { DataSource } from 'typeorm';
import type { Json } from '#agent-handler';
import { systemClock } from '#runtime';
import { createDatabase, type TestDatabase, until } from '#testing';
import { openHostDatabase } from '../store/host-database.ts';
import { MemoryWorkQueue } from './memory-work-queue.ts';
import { PostgresWorkQueue } from './postgres-work-queue.ts';
import type { ClaimedWork, WorkQueue } from './work-queue.ts';

const long = { owner: 'a', leaseMs: 600_000 };
const over = { owner: 'a', leaseMs: 0 };
const work = { name: 'ship', payload: { id: 7 }, state: ['kept'], askedBy: 'a' };

describe.each(['memory', 'PostgreSQL'])('work queued in %s', (place) => {
  let test: TestDatabase | undefined;
  let database: DataSource | undefined;
  let queue: WorkQueue;
  let count = 0;
  let application: string;
  const key = (taskId: string) => ({ application, user: 'alice', taskId });
  beforeAll(async () => {
    if (place === 'memory') queue = new MemoryWorkQueue(systemClock);
    else {
      test = await createDatabase();
      database = await openHostDatabase(test.url);
      queue = new PostgresWorkQueue(database);
    }
  });
  afterAll(async () => {
    await database?.destroy();
    await test?.drop();
  });
  beforeEach(() => (application = `app-${++count}`));

  it('is claimed by one, the oldest first', async () => {
    await queue.enqueue(key('1'), work);
    await queue.enqueue(key('2'), work);
    expect(await queue.claim('else', long)).toBeUndefined();
    const first = await queue.claim(application, long);
    expect(first).toEqual({ key: key('1'), ...work, stage: 'waiting', epoch: 1, result: undefined, isVoid: false });
    expect(await queue.claim(application, { ...long, owner: 'b' })).toMatchObject({ key: key('2') });
    expect(await queue.claim(application, long)).toBeUndefined();
  });

  it('is told as begun to who claims it after a process that has gone', async () => {
    await queue.enqueue(key('1'), work);
    await queue.claim(application, over);
    expect(await queue.claim(application, long)).toMatchObject({ stage: 'begun', epoch: 2 });
    expect(await queue.finish(key('1'), 1, 'late')).toBe(false);
    expect(await queue.remove(key('1'), 1)).toBe(false);
  });

  it('is without its payload once it is done, and gone once it is removed', async () => {
    await queue.enqueue(key('1'), work);
    await queue.claim(application, over);
    expect(await queue.finish(key('1'), 1, { sent: true })).toBe(true);
    const again = await queue.claim(application, over);
    expect(again).toMatchObject({ stage: 'done', result: { sent: true }, payload: undefined, epoch: 2 });
    expect(await queue.remove(key('1'), 2)).toBe(true);
    expect(await queue.claim(application, long)).toBeUndefined();
  });

  it('is gone at once where it is void and nobody works on it', async () => {
    await queue.enqueue(key('1'), work);
    expect(await queue.void(key('1'))).toBe('gone');
    expect(await queue.claim(application, long)).toBeUndefined();
    expect(await queue.void(key('1'))).toBe('gone');
  });

  it('is void to who claims it after whoever was told so has gone', async () => {
    await queue.enqueue(key('1'), work);
    await queue.claim(application, long);
    await queue.void(key('1'));
    await queue.renew(application, over, [key('1')]);
    expect(await queue.claim(application, long)).toMatchObject({ isVoid: true, stage: 'begun' });
  });

  it('is worked on for longer only where its owner names it', async () => {
    for (const id of ['1', '2']) {
      await queue.enqueue(key(id), work);
      await queue.claim(application, long);
    }
    await queue.renew(application, over, [key('1')]);
    expect(await queue.claim(application, long)).toMatchObject({ key: key('1'), stage: 'begun', epoch: 2 });
    expect(await queue.claim(application, long)).toBeUndefined();
  });

  it('is told void to who works on it, and is then finished by nobody', async () => {
    await queue.enqueue(key('1'), work);
    await queue.claim(application, long);
    expect(await queue.renew(application, long, [key('1')])).toEqual([]);
    expect(await queue.void(key('1'))).toBe('begun');
    expect(await queue.renew(application, long, [key('1')])).toEqual([key('1')]);
    expect(await queue.finish(key('1'), 1, null)).toBe(false);
    expect(await queue.remove(key('1'), 1)).toBe(true);
    expect(await queue.void(key('1'))).toBe('gone');
  });

  describe('as a wait that somebody outside ends', () => {
    const waiting = { state: ['kept'], askedBy: 'a' };
    const open = (taskId: string, tokenHash: string, forMs?: number) =>
      queue.openWait(key(taskId), { name: 'payment', tokenHash, ...(forMs !== undefined && { forMs }) });
    const end = (tokenHash: string, result: Json = null) => queue.endWait(application, tokenHash, result);

    it('is done once it is ended, and not before', async () => {
      await open('1', 'hash-1');
      expect(await queue.claim(application, long)).toBeUndefined();
      expect(await queue.waitFor(key('1'), 'hash-1', waiting)).toBe(true);
      expect(await queue.claim(application, long)).toBeUndefined();
      expect(await end('hash-1', { paid: true })).toBe('ended');
      expect(await queue.claim(application, long)).toEqual({
        ...{ key: key('1'), name: 'payment', ...waiting, stage: 'done', payload: undefined, result: { paid: true } },
        ...{ epoch: 1, isVoid: false },
      });
    });

    it('is done at once where it is ended before its turn is', async () => {
      await open('1', 'hash-1');
      expect(await end('hash-1')).toBe('ended');
      expect(await queue.claim(application, long)).toBeUndefined();
      expect(await queue.waitFor(key('1'), 'hash-1', waiting)).toBe(true);
      expect(await queue.claim(application, long)).toMatchObject({ stage: 'done', result: null, state: ['kept'] });
    });

    it('is ended once, of many at once by one, and by who knows its token', async () => {
      await open('1', 'hash-1');
      await queue.waitFor(key('1'), 'hash-1', waiting);
      const ended = await Promise.all(['a', 'b', 'c'].map((result) => end('hash-1', result)));
      expect(ended.sort()).toEqual(['ended', 'repeated', 'repeated']);
      expect(await end('hash-2')).toBe('unknown');
      expect(await queue.endWait('else', 'hash-1', null)).toBe('unknown');
      await queue.remove(key('1'), (await queue.claim(application, long))!.epoch);
      expect(await end('hash-1')).toBe('repeated');
    });

    it('is over once it is void, before its turn is and after', async () => {
      await open('1', 'hash-1');
      expect(await queue.void(key('1'))).toBe('gone');
      expect(await end('hash-1')).toBe('over');
      expect(await queue.waitFor(key('1'), 'hash-1', waiting)).toBe(false);
      await open('1', 'hash-2');
      await queue.waitFor(key('1'), 'hash-2', waiting);
      expect(await queue.void(key('1'))).toBe('gone');
      expect(await end('hash-2')).toBe('over');
      await open('1', 'hash-3');
      expect([await end('hash-1'), await end('hash-3')]).toEqual(['over', 'ended']);
    });

    it('is late once its time is over, and then ended by nobody', async () => {
      await open('1', 'hash-1', 1);
      await open('2', 'hash-2', 600_000);
      let claimed: ClaimedWork | undefined;
      for (const id of ['1', '2']) await queue.waitFor(key(id), `hash-${id}`, waiting);
      await until(async () => {
        claimed = await queue.claim(application, over);
        return claimed !== undefined;
      }, 'the wait');
      expect(claimed).toMatchObject({ key: key('1'), stage: 'late', state: ['kept'], result: undefined });
      expect(await end('hash-1')).toBe('over');
      expect(await queue.claim(application, long)).toMatchObject({ key: key('1'), stage: 'late', epoch: 2 });
      expect(await queue.claim(application, long)).toBeUndefined();
      expect(await end('hash-2')).toBe('ended');
    });

    it('is not late while its turn goes on', async () => {
      await open('1', 'hash-1', 1);
      expect(await queue.claim(application, long)).toBeUndefined();
      expect(await end('hash-1')).toBe('ended');
    });

    it('is one of its task’s at a time', async () => {
      await open('1', 'hash-1');
      await expect(open('1', 'hash-2')).rejects.toThrow();
      expect(await end('hash-2')).toBe('unknown');
    });

    it('is unknown once it is let go of, which one that goes on never is', async () => {
      for (const id of ['1', '2']) await open(id, `hash-${id}`);
      await queue.void(key('1'));
      expect(await queue.letGo('else', 0, 10)).toBe(0);
      expect(await queue.letGo(application, 600_000, 10)).toBe(0);
      expect(await queue.letGo(application, 0, 10)).toBe(1);
      expect([await end('hash-1'), await end('hash-2')]).toEqual(['unknown', 'ended']);
    });
  });
});
