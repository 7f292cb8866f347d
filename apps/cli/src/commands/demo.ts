// `demo`: an example agent and a feed of real flights for a watcher that runs elsewhere, until it is told to end.
import { type Config, loadClientConfig } from '#runtime';
import { startDemo } from '../demo/demo.ts';
import { remakeOverApi } from '../demo/demo-keys.ts';
import { CommandError, ExitCode } from '../exit-code.ts';
import { runToEnd } from '../process/run-to-end.ts';

export interface DemoCommandOptions {
  readonly agentPort?: number;
  readonly agentUrl?: string;
  readonly pageUrl?: string;
}

/** Resolves once it has stopped in order. Throws what it cannot start after. */
export async function demo(options: DemoCommandOptions): Promise<void> {
  await runToEnd(
    (config, _logger, onFatal) =>
      startDemo({
        url: loadClientConfig().apiUrl,
        ...(options.pageUrl !== undefined && { pageUrl: options.pageUrl }),
        remakeKey: remakeOverApi,
        agentParameters: agentParametersOf(config, options),
        // A supervisor starts it again, and with it another day.
        onGone: (what) => onFatal(new CommandError(ExitCode.notSo, what)),
      }),
    async (_demo, ending) => {
      await ending.promise;
    },
  );
}

function agentParametersOf({ bind }: Config, { agentPort, agentUrl }: DemoCommandOptions): readonly string[] {
  return [String(agentPort ?? 0), '--bind', bind, ...(agentUrl === undefined ? [] : ['--url', agentUrl])];
}
