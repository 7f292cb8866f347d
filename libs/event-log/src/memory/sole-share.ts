// The share of a process that has nobody beside it: every partition, from the start to the end.
import type { Membership, PartitionShare, Role, Serve } from '../partition-share.ts';

export class SoleShare implements PartitionShare {
  readonly #partitions: readonly number[];
  readonly #onFenced: (role: Role, partition: number) => void;

  /** `onFenced` is told where another serves a partition all the same: nobody gives it out anew. */
  constructor(partitionCount: number, onFenced: (role: Role, partition: number) => void) {
    this.#partitions = Array.from({ length: partitionCount }, (_, partition) => partition);
    this.#onFenced = onFenced;
  }

  join(role: Role, serve: Serve): Membership {
    const leaving = new AbortController();
    const serving = this.#partitions.map(async (partition) => {
      if ((await serve(partition, leaving.signal)) === 'fenced') this.#onFenced(role, partition);
    });
    return {
      partitions: this.#partitions,
      isSettled: true,
      leave: async () => {
        leaving.abort();
        await Promise.all(serving);
      },
    };
  }
}
