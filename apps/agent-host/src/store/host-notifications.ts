// Between processes: NOTIFY says that something has happened to a task, on one listening connection that comes back where
// it is lost. It is a hint alone: whoever follows a task looks each second in any case.
import { Client, type Notification } from 'pg';
import type { DataSource } from 'typeorm';
import type { Clock } from '#runtime';
import { lookAgain } from '../look-again.ts';
import { nameOf, TaskSignals } from './task-signals.ts';
import type { TaskKey, TaskWatch } from './task-store.ts';

const channel = 'duewatch_host';
const retryMs = 1_000;
/** PostgreSQL takes 8,000 bytes; a longer name is found by looking. */
const mostBytes = 7_900;

export class HostNotifications {
  private readonly signals: TaskSignals;
  private readonly stopped = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: DataSource,
    private readonly databaseUrl: string,
    private readonly clock: Clock,
    private readonly report: (fault: unknown) => void,
  ) {
    this.signals = new TaskSignals(clock);
  }

  start(): void {
    this.running = lookAgain(() => this.listen(), {
      signal: this.stopped.signal,
      report: (fault) => this.report(fault),
      pause: (signal) => this.clock.sleep(retryMs, signal),
    });
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
  }

  watch(key: TaskKey): TaskWatch {
    return this.signals.watch(key);
  }

  /** After the commit: this process at once, others soon. */
  tell(key: TaskKey): void {
    this.signals.tell(key);
    const name = nameOf(key);
    if (this.stopped.signal.aborted || Buffer.byteLength(name) > mostBytes) return;
    this.database.query('SELECT pg_notify($1, $2)', [channel, name]).catch((fault: unknown) => {
      if (!this.stopped.signal.aborted) this.report(fault);
    });
  }

  /** Listens until the connection is lost, and then throws, or until this stops. */
  private async listen(): Promise<void> {
    const { signal } = this.stopped;
    const client = new Client({ connectionString: this.databaseUrl, application_name: 'duewatch-host-listen' });
    const lost = new Promise<void>((resolve, reject) => {
      client.once('error', reject);
      client.once('end', () => reject(new Error('the listening connection has ended')));
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    lost.catch(() => undefined);
    client.on('error', () => undefined);
    client.on('notification', ({ payload }: Notification) => this.signals.tellName(payload ?? ''));
    try {
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      await lost;
    } finally {
      await client.end();
    }
  }
}
