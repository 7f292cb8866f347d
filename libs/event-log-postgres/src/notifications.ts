// Between processes: LISTEN and NOTIFY on one connection of this process, which comes back when it is lost.
// NOTIFY is sent after the append's commit, never within: its commit holds one lock for the whole server until the disk
// has flushed, so that partitions would commit one after the other. What is lost is found by the next look at the heads,
// which also tells whether anybody else listens: a process alone has nobody to tell.
import { type Client, type Notification, type Pool } from 'pg';
import type { LogEnds, Topic } from '#event-log';
import type { Clock } from '#runtime';
import { toLogFault } from './log-fault.ts';

/** What a listening connection calls itself. */
export const listenerName = 'duewatch-log-listen';

const channel = 'duewatch_log';
const lookEveryMs = 1_000;
const firstRetryMs = 100;
const lastRetryMs = 5_000;

interface Head {
  readonly topic: Topic;
  readonly partition: number;
  readonly end_offset: string;
  readonly listeners: string;
}

// Of another role's connection it is not shown what it calls itself.
const heads = `
  SELECT topic, partition, end_offset, (
    SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND coalesce(application_name, '${listenerName}') = '${listenerName}'
  ) AS listeners
  FROM duewatch_log.head`;

export interface NotificationsOptions {
  readonly pool: Pool;
  /** A client not yet connected. */
  readonly makeClient: () => Client;
  readonly ends: LogEnds;
  readonly clock: Clock;
  /** Told of every fault; waiting goes on without the connection. */
  readonly report: (fault: unknown) => void;
}

/** Keeps `ends` up to date with what other processes append, and tells them what this one does. */
export class Notifications {
  readonly #options: NotificationsOptions;
  readonly #stopped = new AbortController();
  readonly #stopping = new Promise<void>((resolve) =>
    this.#stopped.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  readonly #untold = new Map<string, number>();
  #client: Client | undefined;
  #telling = false;
  #isHeard = true;
  #running: Promise<unknown> = Promise.resolve();

  constructor(options: NotificationsOptions) {
    this.#options = options;
  }

  /** Resolves when the ends are known. Throws the driver's errors. */
  async start(): Promise<void> {
    await this.#look();
    this.#running = Promise.all([this.#listenAgain(), this.#lookAgain()]);
  }

  /** The partition ends there now: told to this process at once, and to others soon. */
  announce(topic: Topic, partition: number, end: number): void {
    this.#options.ends.reached(topic, partition, end);
    if (!this.#isHeard) return;
    this.#untold.set(`${topic} ${partition}`, end);
    void this.#tell();
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
  }

  async #tell(): Promise<void> {
    if (this.#telling) return;
    this.#telling = true;
    try {
      while (this.#client !== undefined && this.#untold.size > 0) {
        const payloads = Array.from(this.#untold, ([place, end]) => `${place} ${end}`);
        this.#untold.clear();
        await this.#client.query({
          name: 'notify',
          text: `SELECT pg_notify('${channel}', payload) FROM unnest($1::text[]) AS payload`,
          values: [payloads],
        });
      }
    } catch {
      // The connection is lost, which `#listen` reports; whoever was not told looks within a second.
    } finally {
      this.#telling = false;
    }
  }

  async #listenAgain(): Promise<void> {
    const { clock, report } = this.#options;
    let retryMs = firstRetryMs;
    while (!this.#isStopped()) {
      try {
        await this.#listen(() => (retryMs = firstRetryMs));
      } catch (error) {
        report(toLogFault(error));
        await clock.sleep(retryMs, this.#stopped.signal);
        retryMs = Math.min(retryMs * 2, lastRetryMs);
      }
    }
  }

  /** Listens on one connection until it is lost, and then throws, or until this stops. */
  async #listen(onConnected: () => void): Promise<void> {
    const client = this.#options.makeClient();
    const lost = new Promise<never>((_, reject) => {
      client.once('error', reject);
      client.once('end', () => reject(new Error('the listening connection has ended')));
    });
    lost.catch(() => undefined);
    try {
      client.on('error', () => undefined);
      client.on('notification', (notification) => this.#hear(notification));
      await client.connect();
      await client.query(`LISTEN ${channel}`);
      await this.#look();
      onConnected();
      this.#client = client;
      void this.#tell();
      await Promise.race([lost, this.#stopping]);
    } finally {
      this.#client = undefined;
      await client.end();
    }
  }

  #hear({ payload = '' }: Notification): void {
    const match = /^(inbox|ledger) (\d+) (\d+)$/.exec(payload);
    if (match === null) return;
    this.#options.ends.reached(match[1] as Topic, Number(match[2]), Number(match[3]));
  }

  async #lookAgain(): Promise<void> {
    const { clock, report } = this.#options;
    for (;;) {
      await clock.sleep(lookEveryMs, this.#stopped.signal);
      if (this.#isStopped()) return;
      await this.#look().catch((error: unknown) => report(toLogFault(error)));
    }
  }

  async #look(): Promise<void> {
    const { rows } = await this.#options.pool.query<Head>({ name: 'heads', text: heads });
    this.#isHeard = Number(rows[0]?.listeners) > 1;
    for (const row of rows) this.#options.ends.reached(row.topic, row.partition, Number(row.end_offset));
  }

  #isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }
}
