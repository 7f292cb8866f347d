// Where the log's Kafka is, and how this process makes itself known there.
import type { SecureContextOptions } from 'node:tls';

export interface KafkaAddress {
  /** `host:port`, at least one. */
  readonly brokers: readonly string[];
  /** What the names of topics, groups and transactional ids begin with, `duewatch` unless configured. */
  readonly prefix: string;
  /** TLS with these; absent: in the clear. */
  readonly tls?: SecureContextOptions;
  readonly sasl?: KafkaSasl;
}

export type KafkaSasl =
  | {
      readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
      readonly username: string;
      readonly password: string;
    }
  | {
      readonly mechanism: 'oauthbearer';
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly clientSecret: string;
      readonly scope?: string;
    };
