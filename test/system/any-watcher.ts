// What a suite that runs in every mode is given: the whole watcher, whether it is one process (watcher.ts) or many
// (distributed.ts). It must never tell which.
export interface AnyWatcher {
  /** One address for all of it, without a path. */
  readonly url: string;
  /** Where facts are taken, past whatever stands before the apps: what is no HTTP goes no further than that. */
  readonly factsUrl: string;
  /** Starts all of it, with more settings or others, and waits until all is ready. */
  start(settings?: Readonly<Record<string, string>>): Promise<void>;
  /** Stops all of it, in order. Resolves to 0 where it has ended so. */
  stop(): Promise<number | null | undefined>;
  /** Runs another command on the same data and waits for its end. Resolves to the exit code. */
  run(...parameters: readonly string[]): Promise<number | null>;
  /** Stops it and forgets its data. */
  remove(): Promise<void>;
  /** Calls the API as the administrator; throws where the answer is not a success. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  callText(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<string>;
  /** While it is stopped: puts records into the inbox that no edge may have let in. Resolves to the last one's position. */
  appendToInbox(tenant: string, values: readonly Uint8Array[]): Promise<string>;
  /** While it is stopped: forgets the dispatcher's outbox and the snapshots, which are made again from the ledger. */
  forgetOutboxAndSnapshots(): Promise<void>;
}

export type CreateWatcher = () => Promise<AnyWatcher>;
