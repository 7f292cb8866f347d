// `up`: everything in one process, until it is told to end.
import { loadConfig, PinoLogger, unknownSettings } from '#runtime';
import { startDemo } from '../demo.ts';
import { type Embedded, startEmbedded } from '../embedded/embedded.ts';
import { Ending } from '../ending.ts';
import { ExitCode } from '../exit-code.ts';
import { toCommandError } from '../failure.ts';
import { keepHeapSmall } from '../small-heap.ts';

/** Resolves once it has stopped in order. Throws what it cannot start after. */
export async function up(isDemo: boolean): Promise<void> {
  keepHeapSmall();
  const config = loadConfig();
  const logger = new PinoLogger(config.logLevel, process.stderr);
  for (const name of unknownSettings()) logger.warn(`${name} is no setting: is it mistyped?`, 'Duewatch');
  const ending = new Ending(logger);
  try {
    const embedded = await startEmbedded(config, logger, (error) => ending.fail(error));
    try {
      await run(embedded, isDemo, ending);
    } finally {
      await embedded.stop();
    }
  } catch (error) {
    // Ctrl-C reaches the programs, too, that a start waits for: what they make of it is no news.
    if (!ending.hasBegun) throw error;
    logger.warn(String(error), 'Duewatch');
  } finally {
    ending.done();
  }
}

async function run(embedded: Embedded, isDemo: boolean, ending: Ending): Promise<void> {
  say(embedded);
  const demo = isDemo && !ending.hasBegun ? await startDemo(embedded) : undefined;
  const failure = await ending.promise.finally(() => demo?.stop());
  if (failure !== undefined) process.exitCode = toCommandError(failure)?.exitCode ?? ExitCode.notSo;
}

/** For the person at the terminal; the log goes on as JSON lines. */
function say({ url, firstKey }: Embedded): void {
  const lines =
    firstKey === undefined
      ? [`Duewatch is at ${url}. Its page takes a key after the address: ${url}/#key=…`]
      : [
          `Duewatch is at ${url}`,
          `The first key, shown this once: ${firstKey}`,
          `Its page: ${url}/#key=${firstKey}`,
          `A try: curl -H "authorization: Bearer ${firstKey}" ${url}/v1/expectations`,
        ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
