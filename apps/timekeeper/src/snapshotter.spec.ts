// When snapshots are made: now and then, and once more before the partitions are let go of, within a bounded time.
import { Logger } from '@nestjs/common';
import { ManualClock } from '#testing';
import { type SnapshotMaker, Snapshotter } from './snapshotter.ts';
import type { Timekeeper } from './timekeeper.ts';

Logger.overrideLogger(false);

const clock = new ManualClock(Date.parse('2026-09-01T00:00:00Z'));

/** A timekeeper two of whose partitions are worth a snapshot, until one is made. */
class Worthy {
  readonly worthy = new Set([1, 4]);

  worthASnapshot() {
    return [...this.worthy].map((partition) => ({ partition, made: () => this.worthy.delete(partition) }));
  }
}

function snapshotter(make: SnapshotMaker, lastMs?: number) {
  const timekeeper = new Worthy();
  const made = new Snapshotter(clock, timekeeper as unknown as Timekeeper, make, lastMs);
  made.onApplicationBootstrap();
  return { timekeeper, made };
}

it('are made once a minute of what is worth one', async () => {
  const asked: number[] = [];
  const { made } = snapshotter(async (partition) => void asked.push(partition));
  await clock.advance(61_000);
  expect(asked).toEqual([1, 4]);
  await clock.advance(120_000);
  expect(asked).toEqual([1, 4]);
  await made.onModuleDestroy();
});

it('are made at the end, too, where it may wait for them', async () => {
  const asked: number[] = [];
  const { made, timekeeper } = snapshotter(async (partition) => void asked.push(partition), 5_000);
  await made.onModuleDestroy();
  expect(asked).toEqual([1, 4]);
  expect(timekeeper.worthy.size).toBe(0);
  const { made: embedded } = snapshotter(async (partition) => void asked.push(partition));
  await embedded.onModuleDestroy();
  expect(asked).toEqual([1, 4]);
});

it('hold the end up no longer than that, and none that was broken off counts', async () => {
  const brokenOff: number[] = [];
  const make: SnapshotMaker = (partition, signal) =>
    new Promise((resolve) =>
      signal.addEventListener('abort', () => {
        brokenOff.push(partition);
        resolve();
      }),
    );
  const { made, timekeeper } = snapshotter(make, 5_000);
  let isEnded = false;
  const ended = made.onModuleDestroy().then(() => (isEnded = true));
  await clock.advance(4_999);
  expect(isEnded).toBe(false);
  await clock.advance(1);
  await ended;
  expect(brokenOff).toEqual([1]);
  expect([...timekeeper.worthy]).toEqual([1, 4]);
  expect(clock.sleeperCount).toBe(0);
});
