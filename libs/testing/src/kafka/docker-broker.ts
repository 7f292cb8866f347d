// A Kafka of one node in a container, where a Docker engine answers. Its packages are loaded only then.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const image = 'confluentinc/cp-kafka:8.0.0';
const port = 9093;

/** A Docker client without an engine behind it is no Docker. */
export async function isDockerThere(): Promise<boolean> {
  return run('docker', ['version', '--format', '{{.Server.Version}}'], { timeout: 5_000 }).then(
    () => true,
    () => false,
  );
}

/** Starts it. It ends with `close`, and when this process does. */
export async function startContainer(): Promise<{ readonly brokers: readonly string[]; close(): Promise<void> }> {
  const { KafkaContainer } = await import('@testcontainers/kafka');
  const container = await new KafkaContainer(image)
    .withKraft()
    .withEnvironment({
      KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
      KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '4',
      KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
      KAFKA_TRANSACTION_STATE_LOG_NUM_PARTITIONS: '4',
      KAFKA_TRANSACTION_ABORT_TIMED_OUT_TRANSACTION_CLEANUP_INTERVAL_MS: '1000',
    })
    .start();
  return {
    brokers: [`${container.getHost()}:${container.getMappedPort(port)}`],
    close: async () => {
      await container.stop();
    },
  };
}
