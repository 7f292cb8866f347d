// What a deployment starts, read from its files: a container with its command and its environment.

export type Environment = Readonly<Record<string, string>>;

export interface Workload {
  readonly name: string;
  readonly image: string;
  /** What `duewatch` is told, or the image's own program. */
  readonly command: readonly string[];
  readonly environment: Environment;
}

/** Whether it runs our image. */
export function isOurs({ image }: Workload): boolean {
  return /^duewatch(:|$)/.test(image);
}

/** The app that it starts, if it starts one. */
export function appOf({ command }: Workload): string | undefined {
  return command[0] === 'start' ? command[1] : undefined;
}
