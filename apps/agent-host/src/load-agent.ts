// The folder that is served: the card's text and the handler module beside it.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createJiti } from 'jiti';
import type { AgentHandler } from '#agent-handler';
import type { Clock } from '#runtime';
import { findInHandler } from './check-handler.ts';

export const cardFile = 'agent-card.yaml';
export const handlerFiles = ['handler.ts', 'handler.mts', 'handler.js', 'handler.mjs'] as const;

/** The folder does not hold what is to be served; the message says what is missing or wrong. */
export class AgentFolderError extends Error {
  override readonly name = 'AgentFolderError';
  readonly retryable = false;
}

export interface AgentFolder {
  readonly cardText: string;
  readonly handler: AgentHandler;
}

/** How long the handler's module may run before it is there. */
export interface Loading {
  readonly clock: Clock;
  readonly withinMs: number;
  /** Ends it before, by its reason. */
  readonly signal: AbortSignal;
}

/** Runs the module, once. Throws `AgentFolderError`, also where it is not there in time; and the reason of the signal. */
export async function loadAgent(folder: string, loading: Loading): Promise<AgentFolder> {
  const directory = resolve(folder);
  const cardPath = join(directory, cardFile);
  const cardText = await readFile(cardPath, 'utf8').catch((cause: unknown) => {
    throw new AgentFolderError(`${cardPath} cannot be read`, { cause });
  });
  const name = handlerFiles.find((file) => existsSync(join(directory, file)));
  if (name === undefined) {
    throw new AgentFolderError(
      `${directory} has no handler: one of ${handlerFiles.join(', ')} must be beside the card`,
    );
  }
  const module = await inTime(join(directory, name), loading);
  const finding = findInHandler(module);
  if (finding !== undefined) throw new AgentFolderError(`${join(directory, name)}: ${finding}`);
  return { cardText, handler: module as AgentHandler };
}

/** What the module awaits may never come: it goes on by itself then, and nobody waits for it. */
async function inTime(path: string, { clock, withinMs, signal }: Loading): Promise<unknown> {
  const loaded = new AbortController();
  const end = async (): Promise<never> => {
    await clock.sleep(withinMs, AbortSignal.any([loaded.signal, signal]));
    signal.throwIfAborted();
    const why = 'what it awaits as it is loaded has not come';
    throw new AgentFolderError(`${path} has not loaded within ${withinMs / 1_000} s: ${why}`);
  };
  try {
    return await Promise.race([importModule(path), end()]);
  } finally {
    loaded.abort();
  }
}

async function importModule(path: string): Promise<unknown> {
  try {
    if (!/\.m?ts$/.test(path))
      return ((await import(pathToFileURL(path).href)) as { readonly default?: unknown }).default;
    // Types are left out as the module is read: this Node does not do it by itself.
    return await createJiti(import.meta.url, { fsCache: false }).import(path, { default: true });
  } catch (cause) {
    throw new AgentFolderError(`${path} cannot be run: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}
