// A Kafka of one node or several, without Docker, on free ports of 127.0.0.1. Nothing of it outlives the process that
// started it, save its directory, which is its starter's.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, logLevel } from 'kafkajs';
import { Detour } from './detour.ts';
import { findFreePorts } from './free-ports.ts';
import { requireJava } from './java.ts';
import { kafkaClassPath } from './kafka-jars.ts';
import { KafkaNode } from './kafka-node.ts';
import { detourSettings, type NodePorts, nodeSettings } from './node-settings.ts';

const startWithinMs = 90_000;
const mostTries = 3;

export interface ClusterOptions {
  /** How many, one to three replicate what they hold. */
  readonly nodes: number;
  /** Where it is put; its own within the run's, or within the system's temporary one. */
  readonly directory?: string;
  /** A second way to each node, which the test can close. */
  readonly detours?: boolean;
}

/** Nodes are counted from 1; the number is Kafka's `node.id` too. */
export interface KafkaCluster {
  /** `host:port` of each node, in order. */
  readonly brokers: readonly string[];
  /** To each node, in order, where they were asked for. */
  readonly detours: readonly Detour[];
  /** SIGKILL; resolves when it is gone. */
  kill(node: number): Promise<void>;
  /** SIGSTOP. */
  stop(node: number): void;
  /** SIGCONT. */
  cont(node: number): void;
  /** Starts a killed one with the data it has; resolves when it answers and knows all that run. */
  start(node: number): Promise<void>;
  /** Kills all of them and removes what they held. */
  close(): Promise<void>;
}

/**
 * Starts a cluster of its own for a suite and waits until all of it answers.
 * Throws where java or mvn is missing, or with the last words of a node that did not start.
 */
export async function startCluster({ nodes, directory, detours = false }: ClusterOptions): Promise<KafkaCluster> {
  await requireJava();
  const classPath = await kafkaClassPath();
  const home =
    directory ?? (await mkdtemp(join(process.env['DUEWATCH_TEST_DIRECTORY'] ?? tmpdir(), 'duewatch-kafka-')));
  for (let tries = 1; ; tries += 1) {
    const cluster = new NativeCluster(home);
    try {
      await cluster.open(nodes, classPath, detours);
      return cluster;
    } catch (error) {
      await cluster.close();
      // Between finding a port and listening on it somebody else may have taken it.
      if (tries === mostTries || !/BindException|Address already in use/.test(String(error))) throw error;
    }
  }
}

class NativeCluster implements KafkaCluster {
  readonly #home: string;
  #brokers: readonly string[] = [];
  #nodes: readonly KafkaNode[] = [];
  readonly #detours: Detour[] = [];

  constructor(home: string) {
    this.#home = home;
  }

  get brokers(): readonly string[] {
    return this.#brokers;
  }

  get detours(): readonly Detour[] {
    return this.#detours;
  }

  async open(count: number, classPath: string, hasDetours: boolean): Promise<void> {
    const ports = await findFreePorts(count * 3);
    const all: NodePorts[] = Array.from({ length: count }, (_, index) => ({
      broker: ports[index * 3]!,
      controller: ports[index * 3 + 1]!,
    }));
    const detoured: string[] = [];
    for (let index = 0; index < count && hasDetours; index += 1) {
      const port = ports[index * 3 + 2]!;
      const detour = await Detour.open(port);
      this.#detours.push(detour);
      detoured.push(detourSettings(all[index]!, port, detour.broker));
    }
    this.#brokers = all.map(({ broker }) => `127.0.0.1:${broker}`);
    const clusterId = randomBytes(16).toString('base64url');
    const heapMb = count === 1 ? 512 : 384;
    this.#nodes = await Promise.all(
      all.map((_, index) => {
        const directory = join(this.#home, `node-${index + 1}`);
        const settings = nodeSettings(index + 1, all, join(directory, 'data')) + (detoured[index] ?? '');
        return KafkaNode.format({ directory, settings, clusterId, classPath, heapMb });
      }),
    );
    await Promise.all(this.#nodes.map((node) => node.start()));
    await Promise.all(this.#nodes.map((_, index) => this.#untilReady(index + 1)));
  }

  async kill(node: number): Promise<void> {
    await this.#at(node).kill();
  }

  stop(node: number): void {
    this.#at(node).stop();
  }

  cont(node: number): void {
    this.#at(node).cont();
  }

  async start(node: number): Promise<void> {
    await this.#at(node).start();
    await this.#untilReady(node);
  }

  async close(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.kill()));
    await Promise.all(this.#detours.splice(0).map((detour) => detour.close()));
    await rm(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }

  #at(node: number): KafkaNode {
    const found = this.#nodes[node - 1];
    if (found === undefined) throw new Error(`there is no node ${node} of ${this.#nodes.length}`);
    return found;
  }

  /** Until the node itself answers, and knows as many brokers as run. */
  async #untilReady(node: number): Promise<void> {
    const until = Date.now() + startWithinMs;
    for (;;) {
      const running = this.#nodes.filter(({ isAtWork }) => isAtWork).length;
      const known = await countBrokers(this.#brokers[node - 1]!).catch(() => 0);
      if (known >= running && running > 0) return;
      if (!this.#at(node).isRunning || Date.now() > until) {
        const wrong = this.#at(node).isRunning ? `did not answer in ${startWithinMs / 1000} s` : 'ended';
        throw new Error(`Kafka node ${node} ${wrong}; its last words:\n${await this.#at(node).lastWords()}`);
      }
      await sleep(50);
    }
  }
}

async function countBrokers(broker: string): Promise<number> {
  const retry = { retries: 0 };
  const options = { connectionTimeout: 1_000, requestTimeout: 2_000, logLevel: logLevel.NOTHING, retry };
  const admin = new Kafka({ brokers: [broker], ...options }).admin();
  try {
    await admin.connect();
    return (await admin.describeCluster()).brokers.length;
  } finally {
    await admin.disconnect();
  }
}
