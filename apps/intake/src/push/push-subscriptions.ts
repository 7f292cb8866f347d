// Which agents were asked to send what becomes of which task, and whose a token is. A token is shown once, to the agent;
// here is its hash alone.
import { createHash, timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { Any, type DataSource, IsNull, LessThan, Not } from 'typeorm';
import { CLOCK, type Clock, EDGE_DATABASE, hashSecret, makeSecret, PushSubscription, withStorage } from '#runtime';

/** A task of an agent of a tenant. */
export interface PushedTask {
  readonly tenant: string;
  readonly agentId: string;
  readonly taskId: string;
}

/** After so long a task is asked for anew, where it still goes on. */
const keptMs = 90 * 86_400_000;

@Injectable()
export class PushSubscriptions {
  constructor(
    @Inject(EDGE_DATABASE) private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** A fresh token for the task, by which the agent is known from here on, beside those it has. */
  async make({ tenant, agentId, taskId }: PushedTask): Promise<string> {
    const token = makeSecret();
    const madeAt = new Date(this.clock.now());
    const row = { tokenHash: hashSecret(token), tenant, agentId, taskId, agreedAt: null, madeAt };
    await withStorage(this.rows.insert({ ...row, taskIdentity: identityOf(agentId, taskId) }));
    return token;
  }

  /** The agent has taken it. */
  async agreed(token: string): Promise<void> {
    const agreedAt = new Date(this.clock.now());
    await withStorage(this.rows.update({ tokenHash: hashSecret(token) }, { agreedAt }));
  }

  /** The agent has not taken it: nobody comes by it. */
  async forget(token: string): Promise<void> {
    await withStorage(this.rows.delete({ tokenHash: hashSecret(token), agreedAt: IsNull() }));
  }

  /** Those of the tasks that the agent said it would send. */
  async agreedOf(tenant: string, agentId: string, taskIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (taskIds.length === 0) return new Set();
    const taskIdentity = Any(taskIds.map((taskId) => identityOf(agentId, taskId)));
    const where = { tenant, taskIdentity, agreedAt: Not(IsNull()) };
    const found = await withStorage(this.rows.find({ select: { taskId: true }, where }));
    return new Set(found.map(({ taskId }) => taskId));
  }

  /** Whose the token is, of this agent of this tenant; undefined where it is nobody's, or another's. */
  async taskOf(tenant: string, agentId: string, token: string): Promise<PushedTask | undefined> {
    const tokenHash = hashSecret(token);
    const row = await withStorage(this.rows.findOneBy({ tokenHash }));
    if (row === null || !timingSafeEqual(row.tokenHash, tokenHash)) return undefined;
    return row.tenant === tenant && row.agentId === agentId ? { tenant, agentId, taskId: row.taskId } : undefined;
  }

  /** The task is not followed any more: nobody is believed for it. */
  async end({ tenant, agentId, taskId }: PushedTask): Promise<void> {
    await withStorage(this.rows.delete({ tenant, taskIdentity: identityOf(agentId, taskId) }));
  }

  /** Lets go of those made long ago. */
  async endOld(): Promise<void> {
    await withStorage(this.rows.delete({ madeAt: LessThan(new Date(this.clock.now() - keptMs)) }));
  }

  private get rows() {
    return this.database.getRepository(PushSubscription);
  }
}

function identityOf(agentId: string, taskId: string): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([agentId, taskId]))
    .digest();
}
