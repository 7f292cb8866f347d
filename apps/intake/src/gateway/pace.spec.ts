// Clients that read slowly, or not at all.
import { PassThrough } from 'node:stream';
import type { Clock } from '#runtime';
import { endAtPace, writeAtPace } from './pace.ts';

describe('a client', () => {
  let cutCount: number;
  let slept: number[];

  beforeEach(() => {
    cutCount = 0;
    slept = [];
  });

  const paceBy = (sleep: Clock['sleep']) => ({
    clock: { now: () => 0, sleep },
    drainMs: 30_000,
    onCut: () => (cutCount += 1),
  });
  /** Whose time is up at once. */
  const up = paceBy((durationMs) => {
    slept.push(durationMs);
    return Promise.resolve();
  });
  /** Whose time is never up. */
  const endless = paceBy(
    (_, signal) => new Promise((resolve) => signal!.addEventListener('abort', () => resolve(), { once: true })),
  );

  it('that reads nothing for as long as it may is cut off', async () => {
    const client = new PassThrough({ highWaterMark: 10 });
    await writeAtPace(client, Buffer.alloc(100), up);
    expect([client.destroyed, cutCount, slept]).toEqual([true, 1, [30_000]]);
    await writeAtPace(client, Buffer.alloc(100), endless);
    await endAtPace(client, Buffer.alloc(200_000), endless);
    expect(cutCount).toBe(1);
  });

  it('that reads is waited for, and gets everything', async () => {
    const client = new PassThrough({ highWaterMark: 10 });
    const bytes = Buffer.from('duewatch'.repeat(50_000));
    const read = (async () => Buffer.concat(await client.toArray()))();
    await writeAtPace(client, Buffer.from('x'), endless);
    await endAtPace(client, bytes, endless);
    expect((await read).toString()).toBe(`x${bytes.toString()}`);
    expect(cutCount).toBe(0);
  });

  it('that has gone is not waited for', async () => {
    const client = new PassThrough({ highWaterMark: 10 });
    const writing = writeAtPace(client, Buffer.alloc(100), endless);
    client.destroy();
    await writing;
    expect(cutCount).toBe(0);
  });
});
