// When `up` ends: a signal, or an error that no part can go on after. And that it does end then, in order or not.
// It must never let a second signal, or a terminal that is gone, leave the database's server behind.
import { npmShellGone, type PinoLogger, systemClock } from '#runtime';
import { ExitCode } from './exit-code.ts';

/** A terminal that is closed says SIGHUP; under `nohup`, which nobody must notice, there is none. */
const signals = ['SIGINT', 'SIGTERM', ...(process.stdout.isTTY ? (['SIGHUP'] as const) : [])] as const;
/** Supervisors kill what has not ended after 15 s or more. */
const mostStopMs = 14_000;
/** npm passes on the signal that the terminal has sent already. */
const sameSignalMs = 1_000;

export class Ending {
  /** Resolves to the error that it ends by; undefined where it was asked to end. */
  readonly promise: Promise<unknown>;
  private resolve: (failure: unknown) => void = () => undefined;
  private readonly stopped = new AbortController();
  private begunAt: number | undefined;

  constructor(private readonly logger: PinoLogger) {
    this.promise = new Promise((resolve) => (this.resolve = resolve));
    for (const signal of signals) process.on(signal, () => this.ask(signal));
    void npmShellGone(this.stopped.signal).then((isGone) => isGone && this.ask('npm has ended'));
    // A bug: nothing more is done, and whoever started us starts us again. `exit` listeners are still told.
    process.on('uncaughtException', (error) => {
      this.logger.fatal(error, 'Duewatch');
      process.exit(ExitCode.notSo);
    });
    // What Node has to say goes where everything goes.
    process.removeAllListeners('warning');
    process.on('warning', (warning) => this.logger.warn(`${warning.name}: ${warning.message}`, 'Node'));
    // Nobody reads what is written there: that is no reason to end out of order.
    for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  }

  get hasBegun(): boolean {
    return this.begunAt !== undefined;
  }

  /** What no part can go on after. */
  fail(error: unknown): void {
    if (error instanceof Error) this.logger.fatal(error, 'Duewatch');
    else this.logger.fatal(String(error), 'Duewatch');
    this.begin(error);
  }

  /** All has stopped. */
  done(): void {
    if (this.hasBegun) this.logger.log('stopped', 'Duewatch');
    this.stopped.abort();
  }

  private ask(signal: string): void {
    if (this.begunAt === undefined) {
      this.logger.log(`${signal}: stopping`, 'Duewatch');
      this.begin(undefined);
    } else if (systemClock.now() - this.begunAt > sameSignalMs) {
      this.giveUp(`${signal} again: stopped at once`);
    }
  }

  private begin(failure: unknown): void {
    if (this.hasBegun) return;
    this.begunAt = systemClock.now();
    this.resolve(failure);
    const { signal } = this.stopped;
    void systemClock.sleep(mostStopMs, signal).then(() => {
      if (!signal.aborted) this.giveUp(`not stopped within ${mostStopMs} ms: stopped at once`);
    });
  }

  private giveUp(why: string): void {
    this.logger.error(why, 'Duewatch');
    process.exit(ExitCode.notSo);
  }
}
