// One process's share as a test gives and takes it: partitions come and go as they do where several processes share them.
import type { Membership, PartitionShare, Role, Serve, Served } from '#event-log';

interface Serving {
  readonly leaving: AbortController;
  readonly served: Promise<Served>;
}

export class TestShare implements PartitionShare {
  isSettled = false;
  private serve: Serve | undefined;
  private readonly servings = new Map<number, Serving>();

  /** `given`: the partitions that it has from the start; it is then settled. */
  constructor(private readonly given?: readonly number[]) {}

  join(_: Role, serve: Serve): Membership {
    this.serve = serve;
    if (this.given !== undefined) this.settle(this.given);
    return new TestMembership(this);
  }

  /** In ascending order. */
  get partitions(): readonly number[] {
    return [...this.servings.keys()].sort((left, right) => left - right);
  }

  /** From here on it is known which partitions are this process's. */
  settle(partitions: readonly number[]): void {
    this.isSettled = true;
    for (const partition of partitions) void this.give(partition);
  }

  /** Resolves to how serving the partition ended. */
  give(partition: number): Promise<Served> {
    const leaving = new AbortController();
    const served = this.serve?.(partition, leaving.signal) ?? Promise.reject(new Error('nobody has joined'));
    this.servings.set(partition, { leaving, served });
    return served;
  }

  /** Resolves once the partition is let go of, to how. */
  async take(partition: number): Promise<Served | undefined> {
    const serving = this.servings.get(partition);
    serving?.leaving.abort();
    const served = await serving?.served;
    this.servings.delete(partition);
    return served;
  }
}

class TestMembership implements Membership {
  constructor(private readonly share: TestShare) {}

  get partitions(): readonly number[] {
    return this.share.partitions;
  }

  get isSettled(): boolean {
    return this.share.isSettled;
  }

  async leave(): Promise<void> {
    await Promise.all(this.partitions.map((partition) => this.share.take(partition)));
  }
}
