// The exit codes of every command.

export const ExitCode = {
  done: 0,
  /** The thing asked about is not so. */
  notSo: 1,
  wrongUse: 2,
  cannotReach: 3,
} as const;

/** Ends a command with a sentence for a person. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    readonly exitCode: (typeof ExitCode)[keyof typeof ExitCode],
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
