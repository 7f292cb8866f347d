// Requests to the broker that leads a partition, on connections of their own. Where the leader has moved or a connection
// was lost, it is looked for again; what then still fails is the caller's to judge.
import { LogUnavailableError } from '#event-log';
import type { Clock, KafkaAddress } from '#runtime';
import { clientOptions } from './client-options.ts';
import { answerTypeOf } from './kafka-fault.ts';
import { type Broker, type Cluster, makeCluster, TRANSACTION } from './kafkajs-parts.ts';

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 1_000;

/** Asked of another broker, or a moment later, these may go well. */
const passing: ReadonlySet<string> = new Set([
  'NOT_LEADER_FOR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'UNKNOWN_TOPIC_OR_PARTITION',
  'REPLICA_NOT_AVAILABLE',
  'KAFKA_STORAGE_ERROR',
  'FENCED_LEADER_EPOCH',
  'UNKNOWN_LEADER_EPOCH',
  'OFFSET_NOT_AVAILABLE',
  'NOT_ENOUGH_REPLICAS',
  'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
  'REQUEST_TIMED_OUT',
  'CORRUPT_MESSAGE',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
  'GROUP_LOAD_IN_PROGRESS',
  'CONCURRENT_TRANSACTIONS',
  'NETWORK_EXCEPTION',
  // A broker whose partition is being taken over says so now and then; asked again, it says by whom.
  'UNKNOWN',
]);

export class Leaders {
  readonly #address: KafkaAddress;
  readonly #clock: Clock;
  readonly #topics: readonly string[];
  readonly #closing = new AbortController();
  #cluster: Cluster;
  #connecting: Promise<void> | undefined;

  constructor(address: KafkaAddress, clock: Clock, topics: readonly string[]) {
    this.#address = address;
    this.#clock = clock;
    this.#topics = topics;
    this.#cluster = makeCluster(clientOptions(address));
  }

  /** Which broker leads the partition, as far as is known. Throws the client's errors. */
  async leaderOf(topic: string, partition: number): Promise<number> {
    await this.#connected();
    const found = this.#cluster.findTopicPartitionMetadata(topic).find(({ partitionId }) => partitionId === partition);
    if (found === undefined)
      throw new LogUnavailableError(`${topic} has no partition ${partition}, as far as is known`);
    return found.leader;
  }

  /** A request to the partition's leader, repeated for at most that long. Throws the client's errors. */
  async atLeader<T>(
    topic: string,
    partition: number,
    request: (broker: Broker) => Promise<T>,
    patienceMs: number,
  ): Promise<T> {
    return this.#patiently(patienceMs, async () => {
      const nodeId = await this.leaderOf(topic, partition);
      return request(await this.#cluster.findBroker({ nodeId }));
    });
  }

  /** A request to a broker by its id, once. Throws the client's errors. */
  async atBroker<T>(nodeId: number, request: (broker: Broker) => Promise<T>): Promise<T> {
    await this.#connected();
    return request(await this.#cluster.findBroker({ nodeId }));
  }

  /** A request to any broker, repeated for at most that long. Throws the client's errors. */
  async anywhere<T>(request: (broker: Broker) => Promise<T>, patienceMs: number): Promise<T> {
    return this.#patiently(patienceMs, async () => {
      await this.#connected();
      const [nodeId] = this.#cluster.getNodeIds();
      if (nodeId === undefined) throw new LogUnavailableError('no broker is known');
      return request(await this.#cluster.findBroker({ nodeId }));
    });
  }

  /** A request to the coordinator of a transactional id, repeated for at most that long. Throws the client's errors. */
  async atCoordinator<T>(
    transactionalId: string,
    request: (broker: Broker) => Promise<T>,
    patienceMs: number,
  ): Promise<T> {
    return this.#patiently(patienceMs, async () => request(await this.coordinator(transactionalId, TRANSACTION)));
  }

  /** The coordinator of a group or a transactional id. Throws the client's errors. */
  async coordinator(groupId: string, coordinatorType: number): Promise<Broker> {
    await this.#connected();
    return this.#cluster.findGroupCoordinator({ groupId, coordinatorType });
  }

  /** What is known of who leads what may be wrong: it is asked for again. Never rejects. */
  async recover(error: unknown): Promise<void> {
    if (isConnectionLost(error)) this.#cluster.removeBroker(error);
    try {
      // A broker that does not answer stays connected, and would be asked who leads.
      if (this.#cluster.isConnected() && !isUnanswered(error)) await this.#cluster.refreshMetadata();
      else await this.#reconnect();
    } catch {
      // The next request connects again, and its caller is told.
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    // What is connected only afterwards would stay so.
    await this.#connecting?.catch(() => undefined);
    await this.#cluster.disconnect().catch(() => undefined);
  }

  async #patiently<T>(patienceMs: number, attempt: () => Promise<T>): Promise<T> {
    const startedAtMs = this.#clock.now();
    let pauseMs = FIRST_PAUSE_MS;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        const isOver = this.#clock.now() - startedAtMs >= patienceMs;
        if (isOver || this.#closing.signal.aborted || !isPassing(error)) throw error;
        // A transaction's markers are written within a millisecond or two: nothing has moved.
        const isBusy = answerTypeOf(error) === 'CONCURRENT_TRANSACTIONS';
        if (!isBusy) await this.recover(error);
        await this.#clock.sleep(isBusy ? 2 : pauseMs, this.#closing.signal);
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
  }

  async #connected(): Promise<void> {
    if (this.#closing.signal.aborted) throw new LogUnavailableError('the log is closed');
    this.#connecting ??= this.#connect().catch((error: unknown) => {
      this.#connecting = undefined;
      throw error;
    });
    await this.#connecting;
    await this.#cluster.refreshMetadataIfNecessary();
  }

  async #connect(): Promise<void> {
    await this.#cluster.connect();
    await this.#cluster.addMultipleTargetTopics(this.#topics);
  }

  /** All brokers were lost: also the addresses that are known may be gone, so it begins with those configured. */
  async #reconnect(): Promise<void> {
    // Not waited for: it waits itself for what is not answered.
    this.#cluster.disconnect().catch(() => undefined);
    this.#cluster = makeCluster(clientOptions(this.#address));
    this.#connecting = undefined;
    await this.#connected();
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof LogUnavailableError) return true;
  const type = answerTypeOf(error);
  if (type !== undefined) return passing.has(type);
  return typeof error === 'object' && error !== null && 'retriable' in error;
}

function isUnanswered(error: unknown): boolean {
  return error instanceof Error && error.name === 'KafkaJSRequestTimeoutError';
}

function isConnectionLost(error: unknown): error is { readonly host: string; readonly port: number } {
  return typeof error === 'object' && error !== null && 'host' in error && 'port' in error;
}
