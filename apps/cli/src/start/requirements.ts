// What the environment must say before an app can start alone.
import { type Config, ConfigError } from '#runtime';
import { type AppName, needsOf } from './apps.ts';

export interface Requirements {
  readonly databaseUrl: string;
  readonly sealKey: Uint8Array;
}

/**
 * Throws `ConfigError` with everything that is missing at once. What an app does not need is empty where it is not set:
 * nothing of it is opened.
 */
export function requirementsOf(app: AppName, { kafka, databaseUrl, sealKey }: Config): Requirements {
  const needs = needsOf[app];
  const missing: string[] = [];
  if (kafka === undefined) {
    missing.push('DUEWATCH_KAFKA_BROKERS must say where Kafka is: apps that start alone share a log on it');
  }
  if (needs.database && databaseUrl === undefined) {
    missing.push(`DUEWATCH_DATABASE_URL must name the PostgreSQL that the ${app} has its tables in`);
  }
  if (needs.seal && sealKey === undefined) {
    missing.push(
      'DUEWATCH_SEAL_KEY must be the key, the same for intake and dispatcher, that credentials are sealed with',
    );
  }
  if (missing.length > 0) throw new ConfigError(missing);
  return { databaseUrl: databaseUrl ?? '', sealKey: sealKey ?? new Uint8Array() };
}
