// Notes of what is sent on: made before, ended once what the agent answered is in the log. Whoever forwards one holds it;
// what nobody holds is looked up. By the database's clock. It must never end one whose answer may be unrecorded.
import {
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleDestroy,
} from '@nestjs/common';
import type { DataSource } from 'typeorm';
import {
  CLOCK,
  type Clock,
  EDGE_DATABASE,
  type ForwardedSend,
  type ForwardedSendOutcome,
  isStorageDown,
  withStorage,
} from '#runtime';

/** What is noted of a send. */
export interface NewSend {
  readonly tenant: string;
  readonly agentId: string;
  readonly messageId?: string;
  readonly contextId?: string;
  readonly taskId?: string;
  /** As whom the client answers the task, where there was one already. */
  readonly answerReporter?: string;
  readonly interfacePath: string;
  readonly isActivated: boolean;
}

const heldFor = '2 minutes';
/** A log that is away may be back by then. */
const soon = '5 seconds';
const holdEveryMs = 30_000;
const retryMs = 1_000;
const gatheredMs = 20;
/** Ended ones are kept, to be looked at: for so long, and so many at most. */
const endedMemory = '1 day';
const endedCount = 100_000;

@Injectable()
export class ForwardedSends implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  private readonly logger = new Logger(ForwardedSends.name);
  private readonly held = new Set<string>();
  private readonly stopping = new AbortController();
  private holding: Promise<void> = Promise.resolve();
  private ending: { readonly number: string; readonly outcome: ForwardedSendOutcome }[] = [];
  private flushing: Promise<void> | undefined;
  private readonly writing = new Set<Promise<unknown>>();

  constructor(
    @Inject(EDGE_DATABASE) private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Sends under way in this process. */
  get heldCount(): number {
    return this.held.size;
  }

  onApplicationBootstrap(): void {
    this.holding = this.hold();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.holding;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.flushing;
    await Promise.allSettled(this.writing);
  }

  /** Durable when it resolves, to its number; held until it is ended or left. Throws `StorageUnavailableError`. */
  async note(send: NewSend): Promise<string> {
    const number = await this.insert(send, heldFor);
    this.held.add(number);
    return number;
  }

  /** Notes what nobody forwards, to be looked up soon: an answer that passed and could not be recorded. */
  async noteUnrecorded(send: NewSend): Promise<void> {
    await this.insert(send, soon);
  }

  /** It needs no look-up. Written soon; where it never is, it is looked up for nothing. */
  end(number: string, outcome: ForwardedSendOutcome): void {
    this.held.delete(number);
    this.ending.push({ number, outcome });
    this.flushing ??= this.flush().finally(() => (this.flushing = undefined));
  }

  /** The agent's own id of the task, as soon as it is known. */
  async learn(number: string, taskId: string): Promise<void> {
    await this.attempt('UPDATE duewatch_edge.forwarded_send SET task_id = $2 WHERE number = $1', [number, taskId]);
  }

  /** Nobody forwards it any more, and its answer may be unrecorded: it is looked up soon. */
  async leave(number: string): Promise<void> {
    this.held.delete(number);
    await this.attempt('UPDATE duewatch_edge.forwarded_send SET look_at = now() WHERE number = $1', [number]);
  }

  /**
   * Takes up to so many that nobody holds, each for a look-up that no other process makes before its next is due; none of
   * the tenants in `except`.
   */
  async claim(limit: number, except: readonly string[] = []): Promise<readonly ForwardedSend[]> {
    // Twice as long each time, an hour at most.
    const [rows]: [Record<string, never>[]] = await withStorage(
      this.database.query(
        `UPDATE duewatch_edge.forwarded_send SET
           tries_count = tries_count + 1, look_at = now() + least(power(2, tries_count), 60) * interval '1 minute'
         WHERE number IN (
           SELECT number FROM duewatch_edge.forwarded_send WHERE ended_at IS NULL AND look_at <= now()
             AND tenant <> ALL ($2::text[])
           ORDER BY look_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING number, tenant, agent_id AS "agentId", message_id AS "messageId", context_id AS "contextId",
           task_id AS "taskId", answer_reporter AS "answerReporter", interface_path AS "interfacePath", is_activated AS "isActivated",
           noted_at AS "notedAt", tries_count AS "triesCount"`,
        [limit, except],
      ),
    );
    return rows as unknown as readonly ForwardedSend[];
  }

  /** The last look-up told nothing, for no fault of the agent's: it is not counted, and made again soon. */
  async uncount(number: string): Promise<void> {
    await this.attempt(
      `UPDATE duewatch_edge.forwarded_send SET tries_count = tries_count - 1, look_at = now() + interval '${soon}'
       WHERE number = $1`,
      [number],
    );
  }

  /** Deletes those that ended long ago, and the oldest where there are too many. Throws `StorageUnavailableError`. */
  async sweep(keptCount = endedCount): Promise<void> {
    await withStorage(
      this.database.query(
        `DELETE FROM duewatch_edge.forwarded_send WHERE ended_at < greatest(now() - interval '${endedMemory}', (
           SELECT ended_at FROM duewatch_edge.forwarded_send WHERE ended_at IS NOT NULL
           ORDER BY ended_at DESC OFFSET $1 LIMIT 1))`,
        [keptCount],
      ),
    );
  }

  private async insert(send: NewSend, lookIn: string): Promise<string> {
    const rows: { number: string }[] = await withStorage(
      this.database.query(
        `INSERT INTO duewatch_edge.forwarded_send
           (tenant, agent_id, message_id, context_id, task_id, interface_path, is_activated, answer_reporter, look_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, now() + interval '${lookIn}') RETURNING number`,
        [
          ...[send.tenant, send.agentId, send.messageId ?? null, send.contextId ?? null, send.taskId ?? null],
          ...[send.interfacePath, send.isActivated, send.answerReporter ?? null],
        ],
      ),
    );
    return String(rows[0]?.number);
  }

  /** What ends at about the same time is written together, and no disk waited for: what is lost is looked up for nothing. */
  private async flush(): Promise<void> {
    while (this.ending.length > 0) {
      await this.clock.sleep(gatheredMs, this.stopping.signal);
      const batch = this.ending;
      this.ending = [];
      const numbers = batch.map(({ number }) => number);
      const outcomes = batch.map(({ outcome }) => outcome);
      const isDone = await this.attempt(
        `UPDATE duewatch_edge.forwarded_send AS send SET ended_at = now(), outcome = ended.outcome
         FROM unnest($1::bigint[], $2::text[]) AS ended (number, outcome),
           (SELECT set_config('synchronous_commit', 'off', true)) AS relaxed
         WHERE send.number = ended.number`,
        [numbers, outcomes],
      );
      if (isDone) continue;
      if (this.stopping.signal.aborted) return;
      this.ending.unshift(...batch);
      await this.clock.sleep(retryMs, this.stopping.signal);
    }
  }

  private async hold(): Promise<void> {
    const { signal } = this.stopping;
    for (;;) {
      await this.clock.sleep(holdEveryMs, signal);
      if (signal.aborted) return;
      if (this.held.size === 0) continue;
      await this.attempt(
        `UPDATE duewatch_edge.forwarded_send SET look_at = now() + interval '${heldFor}'
         WHERE number = ANY ($1::bigint[]) AND ended_at IS NULL`,
        [[...this.held]],
      );
    }
  }

  /** False where the database is away: whatever this would have said, a look-up finds out. */
  private async attempt(statement: string, parameters: readonly unknown[]): Promise<boolean> {
    const written = this.database.query(statement, [...parameters]);
    this.writing.add(written);
    try {
      await written;
      return true;
    } catch (error) {
      if (!isStorageDown(error)) throw error;
      this.logger.warn(`a note of a send was not changed: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    } finally {
      this.writing.delete(written);
    }
  }
}
