// The life of a process of ours: modules, partitions, HTTP; and down again in the other order.
import type { DynamicModule } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { type Config, createHttpApp, HttpDrain, type PinoLogger, systemClock } from '#runtime';
import type { PartitionServer } from '#serving';
import { CommandError, ExitCode } from '../exit-code.ts';

/** How long those who wait for an answer may still get it, when everything is to stop. */
const drainMs = 4_000;
/** How long clients may then take to be gone. */
const cutMs = 2_000;

export interface RunningApp {
  /** Where it listens, without a path. */
  readonly url: string;
  readonly app: NestExpressApplication;
  /** Stops everything but the stores: HTTP first, then what is served of partitions. */
  stop(): Promise<void>;
}

/**
 * `mount`: what answers beside the modules' controllers, and before them. `portSetting`: who starts it gives the port so.
 * Starts the modules, joins the roles, and resolves once it listens. Stops all of it again where it cannot.
 */
export async function runApp(
  root: DynamicModule,
  servers: readonly PartitionServer[],
  config: Config,
  logger: PinoLogger,
  mount: (app: NestExpressApplication) => void = () => undefined,
  portSetting = 'DUEWATCH_PORT',
): Promise<RunningApp> {
  const app = await createHttpApp(root, logger);
  mount(app);
  const drain = new HttpDrain(app.getHttpServer(), systemClock);
  try {
    // Before: Nest loads what the servers need.
    await app.init();
    for (const strategy of servers) app.connectMicroservice({ strategy });
    await app.startAllMicroservices();
    await listen(app, config, portSetting);
  } catch (error) {
    await app.close();
    throw error;
  }
  const stop = async (): Promise<void> => {
    await drain.drain(drainMs);
    await drain.close(() => app.close(), cutMs);
  };
  return { url: addressOf(config, app.getHttpServer().address()), app, stop };
}

async function listen(app: NestExpressApplication, { port, bind }: Config, portSetting: string): Promise<void> {
  try {
    await app.listen(port, bind);
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    const why =
      'code' in cause && cause.code === 'EADDRINUSE'
        ? `port ${port} of ${bind} is taken: stop what listens there, or set ${portSetting} to another`
        : `cannot listen on port ${port} of ${bind} (${portSetting}, DUEWATCH_BIND): ${cause.message}`;
    throw new CommandError(ExitCode.cannotReach, why, { cause });
  }
}

function addressOf(config: Config, address: unknown): string {
  const port =
    typeof address === 'object' && address !== null && 'port' in address ? String(address.port) : config.port;
  return `http://${config.bind.includes(':') ? `[${config.bind}]` : config.bind}:${port}`;
}
