// Reminders for tasks of agents that take none themselves: decided by the life cycle's own rules, kept with their words in
// a table of record, and told to the inbox without them. It must never lose one that was accepted without saying so.
import { Inject, Injectable, Optional } from '@nestjs/common';
import type { DataSource, EntityManager } from 'typeorm';
import type { ReminderOutcome, ReminderReported } from '#event-log';
import { formatInstant } from '#expectations';
import {
  defaultBounds,
  type Event,
  initialState,
  type InjectAnswer,
  type InjectRequest,
  type Input,
  type Refused,
  type Reminder,
  type ReminderBounds,
  type State,
  step,
} from '#reminders';
import { CLOCK, type Clock, type Config, CONFIG, EDGE_DATABASE, Problem, TenantTurns, withStorage } from '#runtime';
import { Writes } from '#writes';

/** Whose reminders. */
export interface KeptFor {
  readonly tenant: string;
  readonly agentId: string;
  readonly taskId: string;
}

/** What is to be asked about, and how often it has been. */
export interface DueTask extends KeptFor {
  readonly interfacePath: string;
  readonly liveCount: number;
  readonly isOld: boolean;
}

interface Row {
  readonly state: State;
}

/** Tasks of one tenant with reminders kept: each may have a megabyte. */
const tasksCount = 1_000;
/** A task nobody can say anything of is let go of after so long. */
const oldAfter = '7 days';
/** So long an inject that comes again is answered as before, once nothing waits any more. */
const answeredFor = '1 day';

const where = 'tenant = $1 AND agent_id = $2 AND task_id = $3';

@Injectable()
export class KeptReminders {
  /** What may be asked for. */
  readonly bounds: ReminderBounds;
  /** A change holds a connection, and its task's row, until the log has what it came to; anybody may ask for one. */
  private readonly turns = new TenantTurns({ running: 2, waiting: 200 });

  constructor(
    @Inject(EDGE_DATABASE) private readonly database: DataSource,
    @Inject(CLOCK) private readonly clock: Clock,
    private readonly writes: Writes,
    @Optional() @Inject(CONFIG) config?: Partial<Pick<Config, 'reminderBounds'>>,
  ) {
    this.bounds = config?.reminderBounds ?? defaultBounds;
  }

  /**
   * Takes the reminder, or says why not; the task runs, its agent has just said so. Throws `Problem`
   * (`tenant-overloaded`), `StorageUnavailableError` and `LogUnavailableError`; nothing is kept then.
   */
  inject(
    of: KeptFor,
    request: InjectRequest,
    via: { readonly contextId: string; readonly interfacePath: string },
  ): Promise<{ readonly answer: InjectAnswer } | Refused> {
    return this.within(of.tenant, async (manager) => {
      const at = this.now();
      const before = (await this.load(manager, of)) ?? (await this.first(manager, of, via.contextId));
      const [made] = await manager.query<{ readonly id: string }[]>('SELECT gen_random_uuid() AS id');
      const newId = `reminder-${made?.id ?? ''}`;
      const opened = step(before, { type: 'taskOpened', at, taskId: of.taskId });
      const input = { type: 'reminderInjected', at, isTerminal: false, newId, ...request } as const;
      const injected = step(opened.state, input, this.bounds);
      if ('refusal' in injected) return injected;
      await this.tell(of, injected.events);
      if (injected.events.length > 0) await this.save(manager, of, injected.state, via.interfacePath);
      return { answer: injected.answer };
    });
  }

  /** What waits for the task's next message, in the order accepted. Throws `StorageUnavailableError`. */
  async waiting(of: KeptFor): Promise<readonly Reminder[]> {
    const rows: Row[] = await withStorage(
      this.database.query(
        `SELECT state FROM duewatch_edge.kept_reminders WHERE ${where} AND live_count > 0`,
        keysOf(of),
      ),
    );
    return rows[0]?.state.live.map(({ reminder }) => reminder) ?? [];
  }

  /** They are the agent's now. Throws as `inject`; they are carried again then. */
  async carried(of: KeptFor, reminders: readonly Reminder[]): Promise<void> {
    const names = reminders.map(({ id }) => ({ taskId: of.taskId, reminderId: id }));
    await this.change(of, { type: 'remindersCarried', at: this.now(), taskId: of.taskId, reminders: names });
  }

  /** The task is over: what still waits is suppressed. Throws as `inject`; it is found again then. */
  async end(of: KeptFor): Promise<void> {
    if (await this.turns.within(of.tenant, () => this.isKnown(of)))
      await this.change(of, { type: 'taskEnded', at: this.now(), taskId: of.taskId });
  }

  private async isKnown(of: KeptFor): Promise<boolean> {
    const known = `SELECT FROM duewatch_edge.kept_reminders WHERE ${where}`;
    const rows: unknown[] = await withStorage(this.database.query(known, [...keysOf(of)]));
    return rows.length > 0;
  }

  /** Nothing of the task waits, and an inject that comes again is new: unless one has come meanwhile. Throws as `due`. */
  async forget(of: KeptFor): Promise<void> {
    await withStorage(
      this.database.query(`DELETE FROM duewatch_edge.kept_reminders WHERE ${where} AND live_count = 0`, [
        ...keysOf(of),
      ]),
    );
  }

  /** Up to so many tasks whose turn it is, no other process's before their next. Throws `StorageUnavailableError`. */
  async due(limit: number): Promise<readonly DueTask[]> {
    const [rows]: [DueTask[]] = await withStorage(
      this.database.query(
        `UPDATE duewatch_edge.kept_reminders SET
           tries_count = tries_count + 1, look_at = now() + least(power(2, tries_count), 60) * interval '1 minute'
         WHERE (tenant, agent_id, task_id) IN (
           SELECT tenant, agent_id, task_id FROM duewatch_edge.kept_reminders WHERE look_at <= now()
           ORDER BY look_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING tenant, agent_id AS "agentId", task_id AS "taskId", interface_path AS "interfacePath",
           live_count AS "liveCount", changed_at < now() - interval '${oldAfter}' AS "isOld"`,
        [limit],
      ),
    );
    return rows;
  }

  private change(of: KeptFor, input: Exclude<Input, { type: 'reminderInjected' }>): Promise<void> {
    return this.within(of.tenant, async (manager) => {
      const before = await this.load(manager, of);
      if (before === undefined) return;
      const { state, events } = step(before, input);
      await this.tell(of, events);
      if (state.tasks.length === 0) {
        await manager.query(`DELETE FROM duewatch_edge.kept_reminders WHERE ${where}`, keysOf(of));
      } else if (events.length > 0) await this.save(manager, of, state);
    });
  }

  private within<Result>(tenant: string, work: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.turns.within(tenant, () => withStorage(this.database.transaction(work)));
  }

  private async load(manager: EntityManager, of: KeptFor): Promise<State | undefined> {
    const rows = await manager.query<Row[]>(
      `SELECT state FROM duewatch_edge.kept_reminders WHERE ${where} FOR UPDATE`,
      keysOf(of),
    );
    return rows[0]?.state;
  }

  /** A row to lock: of two that come first at once, the later one finds the other's. */
  private async first(manager: EntityManager, of: KeptFor, contextId: string): Promise<State> {
    const [found] = await manager.query<{ readonly count: number }[]>(
      `SELECT count(*)::int AS count FROM (
         SELECT FROM duewatch_edge.kept_reminders WHERE tenant = $1 LIMIT ${tasksCount}) AS kept`,
      [of.tenant],
    );
    if ((found?.count ?? 0) >= tasksCount) {
      throw new Problem('tenant-overloaded', `reminders are kept for ${tasksCount} tasks already: send it again later`);
    }
    await manager.query(
      `INSERT INTO duewatch_edge.kept_reminders (tenant, agent_id, task_id, state, live_count, interface_path, look_at)
       VALUES ($1, $2, $3, $4, 0, '', now() + interval '${answeredFor}') ON CONFLICT DO NOTHING`,
      [...keysOf(of), JSON.stringify(initialState(contextId))],
    );
    return (await this.load(manager, of)) ?? initialState(contextId);
  }

  private async save(manager: EntityManager, of: KeptFor, state: State, interfacePath?: string): Promise<void> {
    const lookIn = state.live.length > 0 ? '1 minute' : answeredFor;
    await manager.query(
      `UPDATE duewatch_edge.kept_reminders SET state = $4, live_count = $5, interface_path = coalesce($6, interface_path),
         changed_at = now(), tries_count = 0, look_at = now() + interval '${lookIn}' WHERE ${where}`,
      [...keysOf(of), JSON.stringify(state), state.live.length, interfacePath ?? null],
    );
  }

  private async tell({ tenant, agentId, taskId }: KeptFor, events: readonly Event[]): Promise<void> {
    const reports = events.flatMap((event): ReminderReported[] => {
      const outcome = outcomeOf(event);
      if (outcome === undefined) return [];
      const reminderId = event.type === 'reminderAccepted' ? event.reminder.id : reminderIdOf(event);
      return [{ type: 'reminderReported', agentId, taskId, reminderId, outcome }];
    });
    if (reports.length === 0 || (await this.writes.tell(tenant, reports))) return;
    throw new Problem('tenant-overloaded', 'too much of your tenant is not decided yet: send it again');
  }

  private now(): string {
    return formatInstant(this.clock.now());
  }
}

function keysOf({ tenant, agentId, taskId }: KeptFor): readonly [string, string, string] {
  return [tenant, agentId, taskId];
}

function outcomeOf({ type }: Event): ReminderOutcome | undefined {
  switch (type) {
    case 'reminderAccepted':
      return 'accepted';
    case 'reminderDisplaced':
      return 'displaced';
    case 'reminderCarried':
      return 'carried';
    case 'reminderExpired':
      return 'suppressed';
    default:
      return undefined;
  }
}

function reminderIdOf(event: Event): string {
  return 'reminderId' in event ? event.reminderId : '';
}
