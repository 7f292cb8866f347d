// Keeps the server of this process: it is claimed, and started again where it ends without being told to (it was killed,
// the machine was out of memory). It must never start one while another process has the directory.
import type { Client } from 'pg';
import { systemClock } from '../clock.ts';
import { stopServer } from './cluster.ts';
import {
  EmbeddedPostgresError,
  NoRoomError,
  PortTakenError,
  ServerBusyError,
  ServerTakenError,
} from './embedded-postgres-error.ts';
import { claimServer, ensureDatabase } from './owner.ts';
import { findServer } from './pid-file.ts';
import { haveServer, type ServerAtHand, type ServerClaim } from './server-at-hand.ts';

/** How often it is tried before it is given up, and how long is waited in between: 47.5 s in all. */
const mostTries = 9;
const firstDelayMs = 500;
const mostDelayMs = 8_000;

export interface ServerEvents {
  readonly report: (message: string) => void;
  readonly onLost: (error: EmbeddedPostgresError) => void;
}

export class ServerKeeper {
  private readonly stopping = new AbortController();
  private restarting: Promise<void> = Promise.resolve();

  private constructor(
    private readonly claim: ServerClaim,
    private readonly events: ServerEvents,
    private server: ServerAtHand,
    private owner: Client,
  ) {
    this.watch();
  }

  /**
   * The server at hand or a new one, claimed. What a crash has left is waited for: a server that recovers, the remains
   * of one that was killed. Throws `EmbeddedPostgresError`.
   */
  static async start(claim: ServerClaim, port: number | undefined, events: ServerEvents): Promise<ServerKeeper> {
    let delayMs = firstDelayMs;
    for (let tries = 1; ; tries += 1) {
      try {
        const server = await haveServer(claim, port);
        return new ServerKeeper(claim, events, server, await own(claim, server));
      } catch (error) {
        // A free port may be lost between finding it and listening on it.
        const isPassing = error instanceof ServerBusyError || (error instanceof PortTakenError && port === undefined);
        if (!(error instanceof Error) || !isPassing || tries === mostTries) throw error;
        events.report(`the embedded PostgreSQL is tried again in ${delayMs} ms: ${error.message}`);
        await systemClock.sleep(delayMs);
        delayMs = Math.min(delayMs * 2, mostDelayMs);
      }
    }
  }

  /** The same for as long as it is kept. */
  get port(): number {
    return this.server.port;
  }

  get pid(): number {
    return this.server.pid;
  }

  /** Ends the claim and stops the server. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.restarting;
    await this.owner.end();
    const { cluster } = this.claim;
    if ((await findServer(cluster)) === undefined) return;
    await stopServer(cluster).catch(async (error: unknown) => {
      // Killed meanwhile, it has not shut down, and is gone all the same.
      if ((await findServer(cluster)) !== undefined) throw error;
    });
  }

  /** The owner's session ends with the server, and is the first to know. */
  private watch(): void {
    this.owner.once('end', () => {
      if (!this.stopping.signal.aborted) this.restarting = this.restart();
    });
  }

  private async restart(): Promise<void> {
    const { signal } = this.stopping;
    this.events.report('the embedded PostgreSQL has ended, or has ended our session: it is started again');
    let delayMs = firstDelayMs;
    for (let tries = 1; ;) {
      // What was left of a server that was killed ends within moments, and no other may start before.
      await systemClock.sleep(delayMs, signal);
      if (signal.aborted) return;
      try {
        this.server = await haveServer(this.claim, this.port);
        this.owner = await own(this.claim, this.server);
        this.watch();
        this.events.report('the embedded PostgreSQL runs again');
        return;
      } catch (error) {
        if (!(error instanceof EmbeddedPostgresError)) throw error;
        // Room is made by somebody, sooner or later: a start anew would help no more than waiting does.
        if (!(error instanceof NoRoomError)) tries += 1;
        if (error instanceof ServerTakenError || tries > mostTries) {
          this.events.onLost(error);
          return;
        }
        delayMs = Math.min(delayMs * 2, mostDelayMs);
        this.events.report(`the embedded PostgreSQL is tried again in ${delayMs} ms: ${error.message}`);
      }
    }
  }
}

/** Claims the server and makes the database. A new server that cannot be used is stopped again. */
async function own({ cluster, database, urlAt }: ServerClaim, { port, isNew }: ServerAtHand): Promise<Client> {
  try {
    const owner = await claimServer(urlAt(port));
    await ensureDatabase(owner, database);
    return owner;
  } catch (error) {
    if (isNew) await stopServer(cluster);
    throw error;
  }
}
