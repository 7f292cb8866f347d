// Where a Kafka for tests comes from: the one that KAFKA_BROKERS names, else Docker, else Maven and Java.
import { isDockerThere, startContainer } from './docker-broker.ts';
import { startCluster } from './native-cluster.ts';

export interface ProvidedBroker {
  /** `host:port`, at least one. */
  readonly brokers: readonly string[];
  /** Said to whoever starts it by hand. */
  readonly origin: string;
  /** Ends what was started for it; one that was there already goes on. */
  close(): Promise<void>;
}

/** The brokers of KAFKA_BROKERS, `host:port` with commas between; undefined where it is not set. */
export function configuredBrokers(): readonly string[] | undefined {
  const brokers = (process.env['KAFKA_BROKERS'] ?? '').split(',').map((broker) => broker.trim());
  const named = brokers.filter((broker) => broker !== '');
  const wrong = named.find((broker) => !/^.+:\d+$/.test(broker));
  if (wrong !== undefined) throw new Error(`KAFKA_BROKERS: "${wrong}" is no host:port`);
  return named.length === 0 ? undefined : named;
}

/** Several nodes are always our own, on 127.0.0.1; a single one is taken where it is to be had. */
export async function provideBroker(nodes: number, directory?: string): Promise<ProvidedBroker> {
  if (nodes === 1) {
    const brokers = configuredBrokers();
    if (brokers !== undefined) return { brokers, origin: 'KAFKA_BROKERS', close: async () => undefined };
    if (await isDockerThere()) return { ...(await startContainer()), origin: 'Docker' };
  }
  const cluster = await startCluster(directory === undefined ? { nodes } : { nodes, directory });
  return { brokers: cluster.brokers, origin: 'Java', close: () => cluster.close() };
}
