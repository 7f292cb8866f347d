// What the product accepts of what a deployment tells it: asked of the product itself, in this process or as a command.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { loadConfig, unknownSettings } from '#runtime';
import { appNames, needsOf } from '../../apps/cli/src/start/apps.ts';
import { requirementsOf } from '../../apps/cli/src/start/requirements.ts';
import { imageEnvironment } from './dockerfile.ts';
import { root } from './repository-file.ts';
import { appOf, type Environment, type Workload } from './workload.ts';

/** With what the image sets, which what it is told overrides. */
export function wholeEnvironment({ environment }: Workload): Environment {
  return { ...imageEnvironment(), ...environment };
}

/** What is wrong with the settings, in sentences: refused, unknown, missing, or told to one who has no use for it. */
export function faultsOf(workload: Workload): readonly string[] {
  const environment = wholeEnvironment(workload);
  const unknown = unknownSettings(environment).map((name) => `${name} is no setting`);
  try {
    const config = loadConfig(environment);
    const app = appNames.find((name) => name === appOf(workload));
    if (app === undefined) return unknown;
    requirementsOf(app, config);
    const { database, seal } = needsOf[app];
    const needless = [
      ...(!database && 'DUEWATCH_DATABASE_URL' in environment ? ['DUEWATCH_DATABASE_URL is of no use'] : []),
      ...(!seal && 'DUEWATCH_SEAL_KEY' in environment ? ['DUEWATCH_SEAL_KEY is of no use'] : []),
      ...(!['intake', 'facts'].includes(app) && 'DUEWATCH_BOOTSTRAP_KEY' in environment
        ? ['DUEWATCH_BOOTSTRAP_KEY is of no use']
        : []),
    ];
    return [...unknown, ...needless];
  } catch (error) {
    return [...unknown, String(error)];
  }
}

/**
 * Runs the command with one setting that is refused whatever is run, so that it ends before it opens anything. Resolves
 * to what it says and its exit code: of a command that is none, it says something else.
 */
export function runRefused(workload: Workload): Promise<{ readonly code: number | null; readonly said: string }> {
  const main = join(root, 'dist/apps/cli/src/main.js');
  const env = { PATH: process.env['PATH'], ...wholeEnvironment(workload), DUEWATCH_PORT: 'none' };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...workload.command], { env }, (_, __, stderr) =>
      resolve({ code: child.exitCode, said: stderr }),
    );
  });
}

/** What it then says, where the command is one and all else is accepted. */
export const refusedPortAlone = {
  code: 2,
  said: expect.stringMatching(/^the configuration is wrong:\n {2}DUEWATCH_PORT must be [^\n]*\n$/) as string,
};
