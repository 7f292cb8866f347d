// The notes of what is sent on, with more than one process at them.
import type { DataSource } from 'typeorm';
import { openEdgeDatabase, systemClock } from '#runtime';
import { createDatabase, type TestDatabase, until } from '#testing';
import { ForwardedSends } from './forwarded-sends.ts';

describe('the note of a send', () => {
  let test: TestDatabase;
  let database: DataSource;
  let one: ForwardedSends;
  let other: ForwardedSends;

  beforeAll(async () => {
    test = await createDatabase();
    database = await openEdgeDatabase(test.url);
  });

  beforeEach(async () => {
    await database.query('TRUNCATE duewatch_edge.forwarded_send');
    [one, other] = [new ForwardedSends(database, systemClock), new ForwardedSends(database, systemClock)];
  });

  afterEach(async () => {
    for (const sends of [one, other]) {
      await sends.onModuleDestroy();
      await sends.onApplicationShutdown();
    }
  });

  afterAll(async () => {
    await database.destroy();
    await test.drop();
  });

  const send = { tenant: 'acme', agentId: 'booking', interfacePath: 'rest/1.0', isActivated: true };
  const rows = (): Promise<Record<string, unknown>[]> =>
    database.query('SELECT *, look_at > now() AS waits FROM duewatch_edge.forwarded_send ORDER BY number');

  it('is there before anything is sent, and is nobody’s to look up while it is held', async () => {
    const number = await one.note({ ...send, messageId: 'm', contextId: 'c', taskId: 't' });
    expect(await rows()).toMatchObject([{ number, message_id: 'm', context_id: 'c', task_id: 't', waits: true }]);
    expect(one.heldCount).toBe(1);
    expect(await other.claim(10)).toEqual([]);
  });

  it('is ended with many others at once', async () => {
    const numbers = await Promise.all(Array.from({ length: 30 }, () => one.note(send)));
    for (const [index, number] of numbers.entries()) one.end(number, index % 2 === 0 ? 'answered' : 'unsent');
    expect(one.heldCount).toBe(0);
    await until(async () => (await rows()).every((row) => row['ended_at'] !== null));
    expect((await rows()).filter(({ outcome }) => outcome === 'unsent')).toHaveLength(15);
  });

  it('that is left is taken by one process alone, which has it for a while', async () => {
    for (let count = 0; count < 20; count += 1) await one.leave(await one.note({ ...send, messageId: `m${count}` }));
    const claims = await Promise.all([one.claim(15), other.claim(15), one.claim(15)]);
    const claimed = claims.flat().map(({ messageId }) => messageId);
    expect(new Set(claimed).size).toBe(20);
    expect(claimed).toHaveLength(20);
    expect(await other.claim(10)).toEqual([]);
    const pauses: { minutes: string }[] = await database.query(
      `SELECT round(extract(epoch FROM look_at - now()) / 60) AS minutes FROM duewatch_edge.forwarded_send`,
    );
    expect(pauses.every(({ minutes }) => Number(minutes) === 1)).toBe(true);
  });

  it('is not taken where its tenant is passed over', async () => {
    for (const tenant of ['acme', 'globex', 'acme', 'initech']) await one.leave(await one.note({ ...send, tenant }));
    expect((await one.claim(10, ['acme', 'globex'])).map(({ tenant }) => tenant)).toEqual(['initech']);
    expect(await one.claim(10, ['acme', 'globex'])).toEqual([]);
    expect(await one.claim(10)).toHaveLength(3);
  });

  it('waits longer after each look-up, an hour at most, and not where the agent was not at fault', async () => {
    const number = await one.note(send);
    const due = () => database.query('UPDATE duewatch_edge.forwarded_send SET look_at = now()');
    const minutes: number[] = [];
    for (let count = 0; count < 8; count += 1) {
      await due();
      await one.claim(1);
      const [row]: { minutes: string }[] = await database.query(
        `SELECT round(extract(epoch FROM look_at - now()) / 60) AS minutes FROM duewatch_edge.forwarded_send`,
      );
      minutes.push(Number(row?.minutes));
    }
    expect(minutes).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
    await one.uncount(number);
    expect(await rows()).toMatchObject([{ tries_count: 7 }]);
  });

  it('knows the task as soon as somebody does', async () => {
    const number = await one.note(send);
    await one.learn(number, 'task-1');
    await one.leave(number);
    expect(await other.claim(1)).toMatchObject([{ number, taskId: 'task-1', tenant: 'acme', agentId: 'booking' }]);
  });

  it('is deleted a day after it has ended, and never before', async () => {
    const [old, young, open] = [await one.note(send), await one.note(send), await one.note(send)];
    for (const number of [old, young]) one.end(number, 'answered');
    await until(async () => (await rows()).filter((row) => row['ended_at'] !== null).length === 2);
    await database.query(
      `UPDATE duewatch_edge.forwarded_send SET ended_at = now() - interval '25 hours' WHERE number = $1`,
      [old],
    );
    await database.query(`UPDATE duewatch_edge.forwarded_send SET noted_at = now() - interval '90 days'`);
    await one.sweep();
    expect((await rows()).map(({ number }) => number)).toEqual([young, open]);
  });

  it('is deleted before that where too many have ended since', async () => {
    const numbers: string[] = [];
    for (let count = 0; count < 4; count += 1) numbers.push(await one.note(send));
    const [first, ...rest] = numbers;
    for (const number of rest) one.end(number, 'answered');
    await until(async () => (await rows()).filter((row) => row['ended_at'] !== null).length === 3);
    for (const [index, number] of rest.entries()) {
      const ended = `now() - interval '${rest.length - index} minutes'`;
      await database.query(`UPDATE duewatch_edge.forwarded_send SET ended_at = ${ended} WHERE number = $1`, [number]);
    }
    await one.sweep(1);
    expect((await rows()).map(({ number }) => number)).toEqual([first, ...rest.slice(1)]);
  });
});
