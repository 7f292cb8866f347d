// What a command that cannot go on says to a person: one sentence, and what is behind it. A bug is none of these: it
// keeps its stack.
import { ConfigError, DataDirectoryError, EmbeddedPostgresError, isStorageDown } from '#runtime';
import { CommandError, ExitCode } from './exit-code.ts';

/** What whoever started the command has to put right. */
const wrongUses: ReadonlySet<string> = new Set([
  'LogMisconfiguredError',
  'AgentFolderError',
  'CardRefusedError',
  'WorkNotKeptError',
  'RedisUnfitError',
]);

/** The error with its exit code, where it is of the world's or of wrong use; undefined for a bug. */
export function toCommandError(error: unknown): CommandError | undefined {
  if (error instanceof CommandError) return error;
  if (error instanceof ConfigError) return failing(ExitCode.wrongUse, error);
  if (!(error instanceof Error)) return undefined;
  // By its name: this file must not load the log for a command that needs none.
  if (wrongUses.has(error.name)) return failing(ExitCode.wrongUse, error);
  return isOfTheWorld(error) ? failing(ExitCode.cannotReach, error) : undefined;
}

function isOfTheWorld(error: Error): boolean {
  const isTyped = error instanceof EmbeddedPostgresError || error instanceof DataDirectoryError;
  // Files, sockets and programs fail with the name of the call; the server's refusals are `severity` FATAL.
  return isTyped || 'retryable' in error || 'syscall' in error || 'severity' in error || isStorageDown(error);
}

function failing(exitCode: CommandError['exitCode'], error: Error): CommandError {
  return new CommandError(exitCode, messagesOf(error).join('\n  because '), { cause: error });
}

/** The error's message and those of its causes, without what one repeats of another. */
function messagesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const below = messagesOf(error.cause).filter((message) => !error.message.includes(message));
  return [error.message, ...below];
}
