// What the tidy rules pass around: files as text, and what is wrong with them.

/** A file of the repository; `path` is relative to its root, with `/`. */
export interface RepositoryFile {
  readonly path: string;
  readonly text: string;
}

/** One violation, with what to do instead. */
export interface Finding {
  readonly path: string;
  /** From 1; absent where the whole file or a missing one is meant. */
  readonly line?: number;
  readonly message: string;
}

/** One line for a person: `path:line message`. */
export function describeFinding({ path, line, message }: Finding): string {
  return `${path}${line === undefined ? '' : `:${line}`} ${message}`;
}

/** The line of a character offset, from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
