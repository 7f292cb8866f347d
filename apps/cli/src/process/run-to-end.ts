// A process of ours from its configuration to its end, in order, whatever ends it.
import { type Config, loadConfig, PinoLogger, unknownSettings } from '#runtime';
import { Ending } from '../ending.ts';
import { ExitCode } from '../exit-code.ts';
import { toCommandError } from '../failure.ts';

interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Starts it; resolves once it listens. `onFatal` is to be called with what no part can go on after. `signal` aborts where
 * it is told to end before: a start that may take long then rejects.
 */
export type Start<Running> = (
  config: Config,
  logger: PinoLogger,
  onFatal: (error: unknown) => void,
  signal: AbortSignal,
) => Promise<Running>;

/**
 * Starts it, does `beside` until the process is told to end, and stops it. Resolves once it has stopped in order. Throws
 * what it cannot start after. `beside` is given what resolves when it is to end.
 */
export async function runToEnd<Running extends Stoppable>(
  start: Start<Running>,
  beside: (running: Running, ending: Ending) => Promise<void>,
): Promise<void> {
  const config = loadConfig();
  const logger = new PinoLogger(config.logLevel, process.stderr);
  for (const name of unknownSettings()) logger.warn(`${name} is no setting: is it mistyped?`, 'Duewatch');
  const ending = new Ending(logger);
  const begun = new AbortController();
  void ending.promise.then(() => begun.abort(new Error('it was told to end before it had started')));
  try {
    const running = await start(config, logger, (error) => ending.fail(error), begun.signal);
    try {
      await beside(running, ending);
      await ending.promise;
    } finally {
      await running.stop();
    }
  } catch (error) {
    // Ctrl-C reaches the programs, too, that a start waits for: what they make of it is no news.
    if (!ending.hasBegun) throw error;
    logger.warn(String(error), 'Duewatch');
  } finally {
    if (ending.hasBegun) exitBy(await ending.promise);
    ending.done();
  }
}

/** Nothing failed where it was asked to end. */
function exitBy(failure: unknown): void {
  if (failure !== undefined) process.exitCode = toCommandError(failure)?.exitCode ?? ExitCode.notSo;
}
