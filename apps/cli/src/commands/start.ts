// `start APP`: one app in this process, beside others on the log that they share, until it is told to end.
import { CommandError, ExitCode } from '../exit-code.ts';
import { runToEnd } from '../process/run-to-end.ts';
import { appNames } from '../start/apps.ts';
import { startApp } from '../start/start-app.ts';

/** Resolves once it has stopped in order. Throws what it cannot start after. */
export async function start(name: string): Promise<void> {
  const app = appNames.find((known) => known === name);
  if (app === undefined) {
    throw new CommandError(ExitCode.wrongUse, `there is no app "${name}": it must be one of ${appNames.join(', ')}`);
  }
  await runToEnd(
    (config, logger, onFatal) => startApp(app, config, logger, onFatal),
    async ({ url }, ending) => {
      process.stdout.write(`Duewatch ${app} is at ${url}\n`);
      await ending.promise;
    },
  );
}
