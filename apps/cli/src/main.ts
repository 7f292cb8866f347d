#!/usr/bin/env node
// The command line. Each command loads only what it needs.
import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { AgentOptions } from './commands/agents.ts';
import type { DemoCommandOptions } from './commands/demo.ts';
import type { FakeAgentCommandOptions } from './commands/fake-agent.ts';
import type { CreateOptions, ListOptions } from './commands/keys.ts';
import type { ServeOptions, StoreKind } from './commands/serve.ts';
import type { TopicsOptions } from './commands/topics.ts';
import { CommandError, ExitCode } from './exit-code.ts';
import { addOperatorCommands } from './operator-commands.ts';

const manifest = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(manifest) as { readonly version: string };

/** Where an agent that is served keeps things. */
const storeKinds: readonly StoreKind[] = ['memory', 'postgres', 'redis'];

const program = new Command('duewatch')
  .description('The watcher of the A2A Expectations extension.')
  .version(version, '-V, --version', 'print the version')
  .addHelpText(
    'after',
    '\nExit codes: 0 done, 1 what was asked about is not so, 2 wrong use, 3 cannot reach what it needs.',
  )
  .exitOverride()
  .showHelpAfterError();

program
  .command('up')
  .description('start everything in this process, with a PostgreSQL of its own')
  .option('--demo', 'also start an example agent and a feed of real flights, a day in ten minutes')
  .action(async (options: { readonly demo?: true }) => (await import('./commands/up.ts')).up(options.demo === true));

program
  .command('start <app>')
  .description('start one app: intake, facts, timekeeper, dispatcher, projector or query (DUEWATCH_KAFKA_BROKERS)')
  .action(async (app: string) => (await import('./commands/start.ts')).start(app));

program
  .command('serve <dir>')
  .description('serve an agent over A2A, from its agent-card.yaml and the handler beside it')
  .option('--port <port>', 'where it listens, at DUEWATCH_BIND', toPort, 1907)
  .addOption(storeOption('--tasks <store>', 'where tasks are kept'))
  .addOption(storeOption('--sessions <store>', 'where sessions are kept'))
  .addOption(
    new Option('--work <store>', 'where queued work is kept; none is, where it is not given').choices(storeKinds),
  )
  .option('--lease <seconds>', 'after so long without a word a process counts as gone', toCount, 15)
  .option('--turns <count>', 'how many turns may run at once in this process', toAtLeastOne, 1_000)
  .option('--user-turns <count>', 'and how many of one user', toAtLeastOne, 100)
  .option('--streams <count>', 'how many streams may be open at once in this process', toAtLeastOne, 1_000)
  .option('--user-streams <count>', 'and how many of one user', toAtLeastOne, 100)
  .option('--proxies <ranges>', "addresses of proxies whose word on clients' certificates is believed")
  .option('--keep-days <days>', 'for so long tasks are kept that are over', toCount, 30)
  .option('--keep-sessions-days <days>', 'for so long sessions are kept that nobody uses', toCount, 90)
  .option('--load-time <seconds>', 'so long the handler may take until it is loaded', toCount, 60)
  .action(async (directory: string, options: ServeOptions) =>
    (await import('./commands/serve.ts')).serve(directory, options),
  );

program
  .command('demo')
  .description('an example agent and a feed of real flights for a watcher that runs (DUEWATCH_URL, DUEWATCH_KEY)')
  .option('--agent-port <port>', 'where the agent listens, at DUEWATCH_BIND; a free port where it is not given', toPort)
  .option('--agent-url <url>', 'where the watcher finds the agent; where it listens, where it is not given')
  .option('--page-url <url>', 'where your browser finds the watcher; DUEWATCH_URL where it is not given')
  .action(async (options: DemoCommandOptions) => (await import('./commands/demo.ts')).demo(options));

program
  .command('simulate <file>')
  .description('decide a vector at virtual time; FILE.ndjson holds one a line')
  .option('--json', 'print {records, lapses, refusals}')
  .action(async (file: string, options: { readonly json?: true }) =>
    (await import('./commands/simulate.ts')).simulateFile(file, options.json === true),
  );

program
  .command('fake-agent')
  .description('an A2A agent that misbehaves as it is told, to test whoever calls it; GET /store, or its end, counts')
  .option('--port <port>', 'where it listens, at 127.0.0.1; a free port where it is not given', toPort, 0)
  .option('--jsonrpc', 'it speaks JSON-RPC (unless told otherwise)')
  .option('--http-json', 'it speaks HTTP+JSON')
  .option('--v0.3-only', 'it speaks 0.3 of the protocol, and nothing later')
  .addOption(new Option('--dedupe', 'it answers a message id that it has seen with the same task').default(false))
  .option('--no-dedupe', 'each message becomes a task (unless told otherwise)')
  .option('--drop-after-accept <count>', 'it takes so many messages and cuts the connection', toCount)
  .option('--fail-503 <count>', 'it answers so many requests with 503', toCount)
  .option('--fail-429 <count>', 'it answers so many requests with 429', toCount)
  .option('--retry-after <seconds>', 'it says so with those', toCount)
  .option('--slow <ms>', 'it waits so long before it does anything', toCount)
  .option('--hang', 'it does what it is asked, and never answers')
  .option('--garbage', 'it does what it is asked, and answers what nobody can read')
  .option('--redirect <url>', 'it sends everybody there')
  .option('--refuse-context', 'it refuses contexts that it does not know')
  .option('--no-echo', 'it does not say which extensions it has activated')
  .option('--huge <bytes>', 'its answers have so many bytes of nothing before them', toCount)
  .option('--no-list', 'it has no ListTasks')
  .action(async (options: FakeAgentCommandOptions) => (await import('./commands/fake-agent.ts')).fakeAgent(options));

const keys = program.command('keys').description('make, list and revoke API keys (DUEWATCH_URL, DUEWATCH_KEY)');
keys
  .command('create')
  .description('make a key; it is shown this once')
  .option('--name <name>', 'the stable name of who will use it; its first source or scope where it is not given')
  .requiredOption('--scope <scope...>', 'admin, operate, agents, observe, facts, read')
  .option('--tenant <tenant>', 'the tenant; your own where it is not given')
  .option('--source <source...>', 'sources it may claim in facts; a trailing * stands for any ending')
  .option('--json', 'print JSON')
  .action(async (options: CreateOptions) => (await import('./commands/keys.ts')).createKey(options));
keys
  .command('list')
  .description('list the keys, revoked ones included')
  .option('--tenant <tenant>', 'the tenant; all that you may see where it is not given')
  .option('--json', 'print JSON')
  .action(async (options: ListOptions) => (await import('./commands/keys.ts')).listKeys(options));
keys
  .command('revoke <keyId>')
  .description('revoke a key by its id, for good')
  .action(async (keyId: string) => (await import('./commands/keys.ts')).revokeKey(keyId));

const agents = program.command('agents').description('the registered agents (DUEWATCH_URL, DUEWATCH_KEY)');
agents
  .command('list')
  .description('list them')
  .option('--json', 'print JSON, a line an agent')
  .action(async (options: AgentOptions) => (await import('./commands/agents.ts')).listAgents(options));
agents
  .command('show <agentId>')
  .description('show one: what is wrong with its declaration, and how lapses are sent to it')
  .option('--json', 'print JSON')
  .action(async (agentId: string, options: AgentOptions) =>
    (await import('./commands/agents.ts')).showAgent(agentId, options),
  );
agents
  .command('probe <agentId>')
  .description('send it a harmless message twice, to find out whether it makes one task of it')
  .option('--json', 'print JSON')
  .action(async (agentId: string, options: AgentOptions) =>
    (await import('./commands/agents.ts')).probeAgent(agentId, options),
  );
agents
  .command('cards <agentId>')
  .description("list the versions of an agent's card and what each changed, the newest first")
  .option('--json', 'print JSON, a line a version')
  .action(async (agentId: string, options: { readonly json?: true }) =>
    (await import('./commands/agent-cards.ts')).listCards(agentId, options.json === true),
  );
agents
  .command('read <agentId>')
  .description("read an agent's card now, and tell the log where it declares something else")
  .option('--json', 'print JSON')
  .action(async (agentId: string, options: { readonly json?: true }) =>
    (await import('./commands/agent-cards.ts')).readCard(agentId, options.json === true),
  );

addOperatorCommands(program);

program
  .command('card')
  .description('agents’ cards')
  .command('lint <urlOrFile>')
  .description('say what is wrong with a card’s declaration, each with its paragraph; exit 1 where it is an error')
  .option('--json', 'print JSON, a line a finding')
  .action(async (place: string, options: { readonly json?: true }) =>
    (await import('./commands/card-lint.ts')).lintCard(place, options.json === true),
  );

program
  .command('projections')
  .description('the read model')
  .command('rebuild')
  .description('make all tables of the read model again from the ledger (DUEWATCH_DATABASE_URL, or the data directory)')
  .action(async () => (await import('./commands/projections.ts')).rebuildProjections());

const topics = program
  .command('topics')
  .description('the topics of the log on Kafka (DUEWATCH_KAFKA_BROKERS, DUEWATCH_PARTITIONS)');
const replication = new Option(
  '--replication <count>',
  'replicas of each partition; 3, or as many as there are brokers, where it is not given',
).argParser(toReplication);
topics
  .command('plan')
  .description('print what apply would do')
  .addOption(replication)
  .option('--json', 'print JSON, a line a step')
  .action(async (options: TopicsOptions) => (await import('./commands/topics.ts')).planTopics(options));
topics
  .command('apply')
  .description('create topics that are missing and set what they should have; never what would lose something')
  .addOption(replication)
  .option('--json', 'print JSON, a line a step')
  .action(async (options: TopicsOptions) => (await import('./commands/topics.ts')).applyTopicPlan(options));
topics
  .command('check')
  .description('say what is wrong with the topics, and what to do about it')
  .addOption(replication)
  .option('--json', 'print JSON, a line for each thing that is wrong')
  .action(async (options: TopicsOptions) => (await import('./commands/topics.ts')).checkTopics(options));

function storeOption(flags: string, what: string): Option {
  const postgres = 'postgres is the one at DUEWATCH_DATABASE_URL, or its own in the data directory';
  const description = `${what}: ${postgres}; redis the one at DUEWATCH_REDIS_URL`;
  return new Option(flags, description).choices(storeKinds).default('memory');
}

function toCount(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError('it must be a whole number.');
  return Number(text);
}

function toAtLeastOne(text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new InvalidArgumentError('it must be a whole number from 1 to 9999999.');
  return Number(text);
}

function toPort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('it must be a port, 0 to 65535.');
  return Number(text);
}

function toReplication(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('it must be a whole number from 1 to 99.');
  return Number(text);
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? ExitCode.done : ExitCode.wrongUse;
  } else {
    const failure = error instanceof CommandError ? error : (await import('./failure.ts')).toCommandError(error);
    if (failure === undefined) throw error;
    process.stderr.write(`${failure.message}\n`);
    process.exitCode = failure.exitCode;
  }
}
// Timers and sockets that a handler has left open hold up nobody.
if (program.args[0] === 'serve') process.exit();
