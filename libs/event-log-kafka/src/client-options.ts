// kafkajs's options for an address.
import type { KafkaConfig } from 'kafkajs';
import type { KafkaAddress } from '#runtime';

/** Fails fast: who calls knows better than the client how long it may wait. */
export function clientOptions({ brokers, prefix }: KafkaAddress): KafkaConfig {
  return {
    brokers: [...brokers],
    clientId: prefix,
    connectionTimeout: 3_000,
    requestTimeout: 15_000,
    retry: { initialRetryTime: 20, maxRetryTime: 1_000, retries: 8 },
  };
}
