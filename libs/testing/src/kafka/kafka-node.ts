// One Kafka node of a test's cluster: a JVM that can be killed, stopped for a while, and started again. It ends with the
// process that started it, however that one ends; what it holds is thrown away.
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Runs a command and says its process id. Our standard input is a pipe that the one who started us holds: once it is
 * closed, by him or by his end, the command is killed.
 */
const leash = `
exec 3<&0
"$@" </dev/null 3<&- >&2 &
command=$!
echo $command
exec >&2
(read -r _ <&3; kill -9 $command) &
watch=$!
wait $command
kill $watch 2>/dev/null
`;

type Shell = ChildProcessByStdio<Writable, Readable, null>;

const logging = ['defaultLogLevel=warn', 'showDateTime=true', 'dateTimeFormat=HH:mm:ss.SSS', 'showShortLogName=true'];

export interface NodePlace {
  /** Where its settings, its log and its data are. */
  readonly directory: string;
  /** The text of its properties file. */
  readonly settings: string;
  /** The same for all nodes of a cluster. */
  readonly clusterId: string;
  readonly classPath: string;
  readonly heapMb: number;
}

export class KafkaNode {
  readonly #place: NodePlace;
  #running: { readonly pid: number; readonly shell: Shell; readonly ended: Promise<unknown> } | undefined;
  #isStopped = false;

  private constructor(place: NodePlace) {
    this.#place = place;
  }

  /** Writes its settings and formats its directory; does not start it. */
  static async format(place: NodePlace): Promise<KafkaNode> {
    const node = new KafkaNode(place);
    await mkdir(place.directory, { recursive: true });
    await writeFile(node.#settingsFile, place.settings);
    const format = ['kafka.tools.StorageTool', 'format', `--cluster-id=${place.clusterId}`, '-c', node.#settingsFile];
    await run('java', ['-Xshare:auto', '-XX:TieredStopAtLevel=1', '-cp', place.classPath, ...format]);
    return node;
  }

  get #settingsFile(): string {
    return join(this.#place.directory, 'server.properties');
  }

  get #logFile(): string {
    return join(this.#place.directory, 'node.log');
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Runs, and is not stopped. */
  get isAtWork(): boolean {
    return this.#running !== undefined && !this.#isStopped;
  }

  /** Starts its JVM, and does not wait until it answers. */
  async start(): Promise<void> {
    if (this.#running !== undefined) throw new Error('this Kafka node runs already');
    this.#isStopped = false;
    const { heapMb, classPath } = this.#place;
    const logProperties = logging.map((setting) => `-Dorg.slf4j.simpleLogger.${setting}`);
    const java = ['java', `-Xmx${heapMb}m`, '-Xshare:auto', ...logProperties, '-cp', classPath, 'kafka.Kafka'];
    const log = openSync(this.#logFile, 'a');
    const shell = spawn('sh', ['-c', leash, 'kafka', ...java, this.#settingsFile], {
      stdio: ['pipe', 'pipe', log],
      detached: true,
    }) as Shell;
    closeSync(log);
    const ended = once(shell, 'exit').finally(() => {
      shell.stdin.destroy();
      if (this.#running?.shell === shell) this.#running = undefined;
    });
    ended.catch(() => undefined);
    for await (const line of createInterface({ input: shell.stdout })) {
      this.#running = { pid: Number(line), shell, ended };
      break;
    }
    if (this.#running === undefined) await ended;
  }

  /** SIGKILL, stopped or not, and waits until it is gone. */
  async kill(): Promise<void> {
    const running = this.#running;
    if (running === undefined) return;
    process.kill(running.pid, 'SIGKILL');
    await running.ended;
  }

  /** SIGSTOP: it holds its connections and answers nothing. */
  stop(): void {
    this.#signal('SIGSTOP');
    this.#isStopped = true;
  }

  /** SIGCONT. */
  cont(): void {
    this.#signal('SIGCONT');
    this.#isStopped = false;
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#running === undefined) throw new Error('this Kafka node does not run');
    process.kill(this.#running.pid, signal);
  }

  /** The last it said, for a message that says why it did not start. */
  async lastWords(): Promise<string> {
    const log = await readFile(this.#logFile, 'utf8').catch(() => '');
    return log.trimEnd().split('\n').slice(-30).join('\n');
  }
}
