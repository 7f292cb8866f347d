// A real Redis for tests, of the distribution's package: on a free port of this machine, in a directory of its own, which can be
// killed and started again on what it has kept.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { RedisAddress } from '#runtime';
import { findFreePorts } from '../kafka/free-ports.ts';

/** Written to disk before it is answered, as whoever cannot lose anything has it. */
const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];

export class RedisServer {
  private child: ChildProcess | undefined;

  private constructor(
    private readonly directory: string,
    readonly port: number,
    private readonly settings: readonly string[],
  ) {}

  /** Waits until it takes commands. `settings` are arguments of `redis-server` beside those that make it durable. */
  static async start(settings: readonly string[] = [], isTls = false): Promise<RedisServer> {
    const directory = await mkdtemp(join(tmpdir(), 'duewatch-redis-'));
    const [port = 0] = await findFreePorts(1);
    const listens = isTls ? ['--port', '0', '--tls-port', String(port)] : ['--port', String(port)];
    const server = new RedisServer(directory, port, [...listens, ...settings]);
    await server.run();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  get address(): RedisAddress {
    return { host: '127.0.0.1', port: this.port, isTls: false, database: 0 };
  }

  /** On what it has kept, at the same port. */
  async run(): Promise<void> {
    const child = spawn(
      'redis-server',
      ['--bind', '127.0.0.1', '--dir', this.directory, ...durable, ...this.settings],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    this.child = child;
    let said = '';
    const ready = new Promise<boolean>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        said += `${line}\n`;
        if (line.includes('Ready to accept connections')) resolve(true);
      });
    });
    const ended = once(child, 'exit').then(() => false);
    if (!(await Promise.race([ready, ended]))) throw new Error(`redis-server has ended: ${said}`);
  }

  /** Ends it in the middle of what it does. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** It stands still, its connections open, until `resume`. */
  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  resume(): void {
    this.child?.kill('SIGCONT');
  }

  /** One command, by itself, on a connection of its own; what it answers, as the protocol has it. */
  async command(...words: readonly string[]): Promise<string> {
    const socket = connect(this.port, '127.0.0.1');
    const sent = [`*${words.length}`, ...words.flatMap((word) => [`$${Buffer.byteLength(word)}`, word])];
    socket.write(`${sent.join('\r\n')}\r\n*1\r\n$4\r\nQUIT\r\n`);
    let answer = '';
    for await (const chunk of socket.setEncoding('utf8')) answer += String(chunk);
    return answer;
  }

  async close(): Promise<void> {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }
}
