// Snapshots made in a thread of their own.
import { Worker } from 'node:worker_threads';
import type { LogAddress } from './log-address.ts';
import type { SnapshotMaker } from './snapshotter.ts';
import type { SnapshotTask } from './snapshot.worker.ts';

/** Each call starts a thread and resolves when it has ended; it is ended early when the signal aborts. */
export function threadSnapshotMaker(address: LogAddress): SnapshotMaker {
  return (partition, signal) =>
    new Promise((resolve, reject) => {
      const task: SnapshotTask = { address, partition };
      const worker = new Worker(new URL('./snapshot.worker.js', import.meta.url), { workerData: task });
      const end = (): void => void worker.terminate();
      signal.addEventListener('abort', end, { once: true });
      worker.once('error', reject);
      worker.once('exit', () => {
        signal.removeEventListener('abort', end);
        resolve();
      });
    });
}
