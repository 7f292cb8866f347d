// `fake-agent`: an A2A agent that misbehaves as it is told, until it is told to end. It is of no watcher, and needs none.
import { FakeAgent, type Misbehaviour } from '#fake-agent';
import { CommandError, ExitCode } from '../exit-code.ts';

export interface FakeAgentCommandOptions {
  readonly port: number;
  readonly httpJson?: true;
  readonly 'v0.3Only'?: true;
  readonly dedupe: boolean;
  readonly dropAfterAccept?: number;
  readonly fail503?: number;
  readonly fail429?: number;
  readonly retryAfter?: number;
  readonly slow?: number;
  readonly hang?: true;
  readonly garbage?: true;
  readonly redirect?: string;
  readonly refuseContext?: true;
  readonly echo: boolean;
  readonly huge?: number;
  readonly list: boolean;
}

/** Prints where it is, and at its end, as JSON, what exists at it. Throws `CommandError` where it cannot listen. */
export async function fakeAgent(options: FakeAgentCommandOptions): Promise<void> {
  // The SDK warns of each task referred to that the agent does not have: of a lapse, always.
  console.warn = () => undefined;
  const agent = await start(options);
  agent.keepAlive();
  say(`listening ${agent.url}`, `card ${agent.url}/.well-known/agent-card.json`, `store ${agent.url}/store`);
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => resolve());
  });
  await agent.stop();
  say(JSON.stringify(agent.kept));
}

async function start(options: FakeAgentCommandOptions): Promise<FakeAgent> {
  const { port, httpJson } = options;
  const version = options['v0.3Only'] === true ? '0.3' : '1.0';
  try {
    return await FakeAgent.start(httpJson === true ? 'HTTP+JSON' : 'JSONRPC', version, misbehaviourOf(options), port);
  } catch (cause) {
    throw new CommandError(ExitCode.cannotReach, `port ${port} of 127.0.0.1 cannot be listened on`, { cause });
  }
}

function misbehaviourOf(options: FakeAgentCommandOptions): Misbehaviour {
  const { dedupe, dropAfterAccept, fail503, fail429, retryAfter, slow, hang, garbage, redirect, huge } = options;
  return {
    ...{ dedupe, hang: hang === true, garbage: garbage === true, refuseContext: options.refuseContext === true },
    ...{ noEcho: !options.echo, noList: !options.list },
    ...(dropAfterAccept !== undefined && { dropAfterAccept }),
    ...(fail503 !== undefined && { fail503 }),
    ...(fail429 !== undefined && { fail429 }),
    ...(retryAfter !== undefined && { retryAfterSeconds: retryAfter }),
    ...(slow !== undefined && { slowMs: slow }),
    ...(redirect !== undefined && { redirect }),
    ...(huge !== undefined && { hugeBytes: huge }),
  };
}

function say(...lines: string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}
