// `up`: everything in one process, until it is told to end.
import { ConfigError, type Config, loadConfig } from '#runtime';
import { startDemo } from '../demo.ts';
import { type Embedded, startEmbedded } from '../embedded/embedded.ts';
import { CommandError, ExitCode } from '../exit-code.ts';

/** Resolves once it has stopped in order. */
export async function up(isDemo: boolean): Promise<void> {
  const config = readConfig();
  const ending = new Ending();
  const embedded = await startEmbedded(config, (error) => ending.fail(error));
  try {
    say(embedded);
    const demo = isDemo ? await startDemo(embedded) : undefined;
    await ending.promise.finally(() => demo?.stop());
  } finally {
    await embedded.stop();
  }
}

function readConfig(): Config {
  try {
    return loadConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new CommandError(ExitCode.wrongUse, error.message, { cause: error });
  }
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

/** The first of: a signal to end, or an error that no part can go on after. */
class Ending {
  readonly promise: Promise<void>;
  private reject: (error: unknown) => void = () => undefined;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.reject = reject;
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
    });
    this.promise.catch(() => undefined);
  }

  fail(error: unknown): void {
    this.reject(error);
  }
}
