// kafkajs's options for an address.
import type { KafkaConfig, SASLOptions } from 'kafkajs';
import { type KafkaAddress, type KafkaSasl, systemClock } from '#runtime';
import { oauthTokens } from './oauth-token.ts';

/** Fails fast: who calls knows better than the client how long it may wait. */
export function clientOptions({ brokers, prefix, tls, sasl }: KafkaAddress): KafkaConfig {
  return {
    brokers: [...brokers],
    clientId: prefix,
    connectionTimeout: 3_000,
    requestTimeout: 8_000,
    retry: { initialRetryTime: 20, maxRetryTime: 1_000, retries: 8 },
    ...(tls !== undefined && { ssl: { ...tls } }),
    ...(sasl !== undefined && { sasl: saslOptions(sasl) }),
  };
}

/** Fresh objects: the client keeps its own state in them. */
function saslOptions(sasl: KafkaSasl): SASLOptions {
  if (sasl.mechanism !== 'oauthbearer') return { ...sasl };
  const token = oauthTokens(sasl, systemClock);
  return { mechanism: 'oauthbearer', oauthBearerProvider: async () => ({ value: await token() }) };
}
