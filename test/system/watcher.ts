// The whole watcher as a process of its own, as `npm start` runs it, for tests over the public API.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { type Spawned, spawnNode } from '#runtime';
import type { AnyWatcher } from './any-watcher.ts';
import { appendToEmbedded, forgetEmbedded } from './stopped-data.ts';
import { killTrees, send } from './trees.ts';

const main = new URL('../../dist/apps/cli/src/main.js', import.meta.url).pathname;

export const administratorKey = 'dw_system_test_0123456789';

/** It promises to end within 15 s. */
const mostStopMs = 60_000;

/** Who is killed. */
export type Victim = 'node alone' | 'everything';

/** A watcher's data, which outlives the process. */
export class Watcher implements AnyWatcher {
  private process: Spawned | undefined;
  private address = '';

  /** A killed one leaves its server behind, for the next start to take over. */
  private hasLeftServer = false;

  private constructor(readonly dataDirectory: string) {}

  static async create(parent = tmpdir()): Promise<Watcher> {
    return new Watcher(await mkdtemp(join(parent, 'duewatch-system-')));
  }

  /** Where it listens, without a path. */
  get url(): string {
    return this.address;
  }

  /** Starts it, with more settings or others, and waits until it is ready. Rejects where it ends before. */
  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const started = await this.startHeld(settings);
    await until(async () => this.process !== started || (await fetch(`${this.address}/health/ready`)).ok);
    if (this.process !== started) throw new Error('it has ended before it was ready');
  }

  /** Likewise where it will not be ready: waits until it listens. */
  async startHeld(settings: Readonly<Record<string, string>> = {}): Promise<Spawned> {
    const started = spawnNode(main, ['up'], () => undefined, { ...this.environment, ...settings });
    this.process = started;
    this.hasLeftServer = false;
    this.address = await started.firstLine((line) => /^Duewatch is at (http:\/\/[^\s]+?)\.?(\s|$)/.exec(line)?.[1]);
    return started;
  }

  /** Stops it in order. Resolves to the exit code, null where it was ended. */
  async stop(): Promise<number | null | undefined> {
    const stopping = this.process;
    this.process = undefined;
    await stopping?.stop(mostStopMs);
    return await stopping?.ended;
  }

  /** Ends it in the middle of what it does: alone, so that its server is left behind, or with all that it started. */
  async kill(victim: Victim = 'node alone'): Promise<void> {
    const killed = this.process;
    if (killed?.pid === undefined) return;
    this.process = undefined;
    // Before it is ready it may have no server yet.
    const server = victim === 'everything' ? await this.serverPid().catch(() => undefined) : undefined;
    if (victim === 'everything') killTrees(server === undefined ? [killed.pid] : [killed.pid, server]);
    else killed.kill('SIGKILL');
    this.hasLeftServer = victim === 'node alone';
    await killed.ended;
  }

  /** Lets it do nothing more, its server aside, until it is killed. */
  standStill(): void {
    if (this.process?.pid !== undefined) send(this.process.pid, 'SIGSTOP');
  }

  /** Starts one on this data where it must not start, and waits for its end. */
  async startInVain(
    settings: Readonly<Record<string, string>> = {},
  ): Promise<{ readonly exitCode: number | null; readonly said: string }> {
    const env = { ...process.env, ...this.environment, ...settings };
    const started = spawn(process.execPath, [main, 'up'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const [said, [exitCode]] = await Promise.all([text(started.stderr), once(started, 'exit')]);
    return { exitCode: exitCode as number | null, said };
  }

  /** The process id of the PostgreSQL server that it runs on. */
  async serverPid(): Promise<number> {
    return parseInt(await readFile(join(this.dataDirectory, 'postgres', 'postmaster.pid'), 'utf8'), 10);
  }

  /** A connection of the test's own to that server, as the watcher has them. */
  async connect(): Promise<Client> {
    const password = await readFile(join(this.dataDirectory, 'postgres.password'), 'utf8');
    const pidFile = await readFile(join(this.dataDirectory, 'postgres', 'postmaster.pid'), 'utf8');
    const client = new Client({
      host: '127.0.0.1',
      port: Number(pidFile.split('\n')[3]),
      user: 'duewatch',
      password: password.trim(),
      database: 'duewatch',
    });
    // The server may be killed while a test is connected to it.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  }

  /** Runs another command on the same data and waits for its end. Resolves to the exit code. */
  run(...parameters: readonly string[]): Promise<number | null> {
    return spawnNode(main, parameters, () => undefined, this.environment).ended;
  }

  /** Stops it and forgets its data. */
  async remove(): Promise<void> {
    await this.stop();
    if (this.hasLeftServer) send(await this.serverPid(), 'SIGQUIT');
    await rm(this.dataDirectory, { recursive: true, force: true });
  }

  /** There is nothing before it. */
  get factsUrl(): string {
    return this.address;
  }

  appendToInbox(tenant: string, values: readonly Uint8Array[]): Promise<string> {
    return appendToEmbedded(this.dataDirectory, tenant, values);
  }

  forgetOutboxAndSnapshots(): Promise<void> {
    return forgetEmbedded(this.dataDirectory);
  }

  /** Calls the API as the administrator; throws where the answer is not a success. */
  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    return parsed(await this.callText(method, path, body));
  }

  callText(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    return callApi(this.address, method, path, body, headers);
  }

  private get environment(): Readonly<Record<string, string>> {
    return {
      DUEWATCH_DATA_DIR: this.dataDirectory,
      DUEWATCH_PORT: '0',
      DUEWATCH_BOOTSTRAP_KEY: administratorKey,
      DUEWATCH_LOG_LEVEL: 'error',
    };
  }
}

/** What an answer says; undefined where it has no content. */
export function parsed(text: string): unknown {
  return text === '' ? undefined : (JSON.parse(text) as unknown);
}

/** Calls the API at `url` as the administrator; throws where the answer is not a success. */
export async function callApi(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<string> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${administratorKey}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text;
}

/** Waits for a condition, asking again whenever it is not so; a refused connection is not so. */
export async function until(condition: () => Promise<boolean>, timeoutMs = 240_000, everyMs = 20): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    if (await condition().catch(() => false)) return;
    if (Date.now() > deadline) throw new Error('the condition did not come true in time');
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
