// The commands for who operates a watcher: what is held, paused, parked or not believed. Each loads only what it needs.
import type { Command } from 'commander';
import type { ListOptions as DispatchListOptions, LapseOptions } from './commands/dispatches.ts';
import type { ListOptions as HoldListOptions, ReleaseOptions } from './commands/holds.ts';
import type { ListOptions as PauseListOptions, StartOptions } from './commands/pauses.ts';
import type { ListOptions as QuarantineListOptions } from './commands/quarantine.ts';
import type { SetOptions as SinkSetOptions, SinkOptions } from './commands/sinks.ts';

export function addOperatorCommands(program: Command): void {
  addHolds(program);
  addQuarantine(program);
  addPauses(program);
  addDispatches(program);
  addSinks(program);
}

function addHolds(program: Command): void {
  const holds = program
    .command('holds')
    .description('what the watcher does not decide, and why (DUEWATCH_URL, DUEWATCH_KEY)');
  holds
    .command('list')
    .description('list the tenants and partitions that are held')
    .option('--all', 'also those that were released')
    .option('--json', 'print JSON')
    .action(async (options: HoldListOptions) => (await import('./commands/holds.ts')).listHolds(options));
  holds
    .command('release <position...>')
    .description('have what is held since then decided')
    .option('--tenant <tenant>', 'the tenant that is held; the whole partition where it is not given')
    .option(
      '--taken-at <instant>',
      'at which instant at the latest the inputs count as received; as they are stamped where it is not given',
    )
    .action(async (positions: string[], options: ReleaseOptions) =>
      (await import('./commands/holds.ts')).releaseHolds(positions, options),
    );
}

function addQuarantine(program: Command): void {
  const quarantine = program
    .command('quarantine')
    .description('facts that were not believed: list, release and discard them (DUEWATCH_URL, DUEWATCH_KEY)');
  quarantine
    .command('list')
    .description('list what waits for an operator, the latest first')
    .option('--state <state>', 'quarantined, releasing, released or discarded')
    .option('--json', 'print JSON')
    .action(async (options: QuarantineListOptions) =>
      (await import('./commands/quarantine.ts')).listQuarantine(options),
    );
  quarantine
    .command('release <id>')
    .description('tell the log a fact as its reporter reported it, whatever its instant')
    .option('--json', 'print JSON')
    .action(async (id: string, options: { readonly json?: true }) =>
      (await import('./commands/quarantine.ts')).releaseFact(id, options),
    );
  quarantine
    .command('discard <id>')
    .description('never tell the log a fact; who, when and why is kept')
    .requiredOption('--reason <reason>', 'why')
    .action(async (id: string, options: { readonly reason: string }) =>
      (await import('./commands/quarantine.ts')).discardFact(id, options),
    );
}

function addPauses(program: Command): void {
  const pauses = program
    .command('pauses')
    .description('lapse tasks held for a while; judgement goes on (DUEWATCH_URL, DUEWATCH_KEY)');
  pauses
    .command('list')
    .description('list the pauses, the latest first')
    .option('--state <state>', 'coming, active or ended')
    .option('--json', 'print JSON')
    .action(async (options: PauseListOptions) => (await import('./commands/pauses.ts')).listPauses(options));
  pauses
    .command('start <pauseId>')
    .description('hold what fits all that is given, or the whole tenant; the same id again changes nothing')
    .requiredOption('--reason <reason>', 'why')
    .option('--until <instant>', 'until when, RFC 3339')
    .option('--for <duration>', 'or how long from now, such as PT4H; 90 days at most')
    .option('--from <instant>', 'from when on; now where it is not given')
    .option('--agent <agentId>', 'only of this agent')
    .option('--kind <kind>', 'only of this kind')
    .option('--subject-type <type>', 'only on this subject, with --subject-id')
    .option('--subject-id <id>', 'only on this subject, with --subject-type')
    .option('--json', 'print JSON')
    .action(async (pauseId: string, options: StartOptions) =>
      (await import('./commands/pauses.ts')).startPause(pauseId, options),
    );
  pauses
    .command('end <pauseId>')
    .description('end a pause before its time')
    .option('--json', 'print JSON')
    .action(async (pauseId: string, options: { readonly json?: true }) =>
      (await import('./commands/pauses.ts')).endPause(pauseId, options),
    );
}

function addDispatches(program: Command): void {
  const dispatches = program
    .command('dispatches')
    .description('the way of lapse tasks to their agents (DUEWATCH_URL, DUEWATCH_KEY)');
  dispatches
    .command('list')
    .description('list them, the latest first, with the cause of what failed')
    .option('--state <state>', 'pending, held, sending, unknown, submitted, concluded, voided or parked')
    .option('--agent <agentId>', 'only of this agent')
    .option('--json', 'print JSON')
    .action(async (options: DispatchListOptions) => (await import('./commands/dispatches.ts')).listDispatches(options));
  dispatches
    .command('retry <agentId> <expectationId>')
    .description('have a lapse that is parked sent after all')
    .requiredOption('--lapse <lapse>', 'overdue, skipped or stalled')
    .option('--reason <reason>', 'why')
    .option('--json', 'print JSON')
    .action(async (agentId: string, expectationId: string, options: LapseOptions) =>
      (await import('./commands/dispatches.ts')).settleParked('retry', agentId, expectationId, options),
    );
  dispatches
    .command('discard <agentId> <expectationId>')
    .description('never send a lapse that is parked')
    .requiredOption('--lapse <lapse>', 'overdue, skipped or stalled')
    .requiredOption('--reason <reason>', 'why')
    .option('--json', 'print JSON')
    .action(async (agentId: string, expectationId: string, options: LapseOptions) =>
      (await import('./commands/dispatches.ts')).settleParked('discard', agentId, expectationId, options),
    );
}

function addSinks(program: Command): void {
  const sinks = program.command('sinks').description('where people are told of lapses (DUEWATCH_URL, DUEWATCH_KEY)');
  sinks
    .command('list')
    .description('list the sinks, without their addresses and secrets')
    .option('--json', 'print JSON')
    .action(async (options: SinkOptions) => (await import('./commands/sinks.ts')).listSinks(options));
  sinks
    .command('set <sinkId> <type> <url>')
    .description('set a sink of type alertmanager, slack or cloudevents; its secrets are read from files')
    .option('--secret-file <path>', 'holds the secret to sign with: whsec_ and base64')
    .option('--header-file <path>', 'holds a header that lets the sender in, as Name: value')
    .option('--lapse <lapse...>', 'only these: overdue, skipped, stalled')
    .option('--agent <agentId>', 'only of this agent')
    .option('--kind <kind>', 'only of this kind')
    .option('--group-by <seconds>', 'for how long lapses of one agent and kind are gathered; 30 unless given')
    .option('--json', 'print JSON')
    .action(async (sinkId: string, type: string, url: string, options: SinkSetOptions) =>
      (await import('./commands/sinks.ts')).setSink(sinkId, type, url, options),
    );
  sinks
    .command('remove <sinkId>')
    .description('tell it nothing more')
    .action(async (sinkId: string) => (await import('./commands/sinks.ts')).removeSink(sinkId));
}
