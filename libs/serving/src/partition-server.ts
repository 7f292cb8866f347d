// Nest's way to a role's partitions: a transport strategy that hands each partition that becomes this process's to the
// controller whose message pattern is the role. It must never decide who serves what, nor swallow a bug.
import assert from 'node:assert/strict';
import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import { lastValueFrom } from 'rxjs';
import type { Membership, PartitionShare, Role, Served } from '#event-log';
import type { Memberships } from './memberships.ts';
import { orEndProcess } from './or-end-process.ts';

/** What a role's handler is given. It answers `Served`, and must not throw (`Serve`). */
export interface PartitionToServe {
  readonly partition: number;
  /** Aborts when the partition is to be let go of. */
  readonly signal: AbortSignal;
}

export class PartitionServer extends Server implements CustomTransportStrategy {
  private membership: Membership | undefined;

  constructor(
    readonly role: Role,
    private readonly share: PartitionShare,
    private readonly memberships: Memberships,
  ) {
    super();
  }

  /** Joins the role. Throws where no controller has it. */
  listen(callback: () => void): void {
    const handler = this.getHandlerByPattern(this.role);
    assert(handler !== null, `a controller must have the pattern "${this.role}"`);
    this.membership = this.share.join(this.role, (partition, signal) =>
      orEndProcess(this.serve(handler, { partition, signal })),
    );
    this.memberships.joined(this.role, this.membership);
    callback();
  }

  /** Lets go of every partition, and resolves when all is let go of. */
  async close(): Promise<void> {
    await this.membership?.leave();
  }

  on(): never {
    throw new Error('a partition server has no events');
  }

  unwrap(): never {
    throw new Error('a partition server has nothing beneath it');
  }

  private async serve(handler: MessageHandler, call: PartitionToServe): Promise<Served> {
    const answer: unknown = await handler(call);
    // An error here has been told to Nest's log, and is a handler's that should have kept it.
    return (await lastValueFrom(this.transformToObservable(answer))) as Served;
  }
}
