// The configuration from the environment (`DUEWATCH_*`), checked once at start with every error listed at once.
// It must never hold a setting that a decision depends on: those are inputs of the log.
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { defaultSettings, parseDuration, readSettings, type Settings } from '#expectations';
import { parseRange } from '#outbound';
import type { ReminderBounds } from '#reminders';
import type { KafkaAddress } from './kafka-address.ts';
import { kafkaNames, parseTopicPrefix, readKafka } from './kafka-config.ts';
import { parseRedisUrl, type RedisAddress } from './redis-address.ts';
import { readReminderBounds, reminderNames } from './reminder-config.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;

export type LogLevel = (typeof logLevels)[number];

export interface Config {
  /** The address to listen on. */
  readonly bind: string;
  /** 0 for any free port. */
  readonly port: number;
  /** Absolute path. */
  readonly dataDirectory: string;
  /** The first administrator's key of the tenant `default`. */
  readonly bootstrapKey?: string;
  /** What agents' credentials are sealed with, 32 bytes; absent: a key of the data directory's own. */
  readonly sealKey?: Uint8Array;
  /** Absent: a PostgreSQL of our own, in the data directory. */
  readonly databaseUrl?: string;
  /** Absent: an agent that is served keeps nothing in Redis. */
  readonly redis?: RedisAddress;
  /** Absent: the log is in PostgreSQL. */
  readonly kafka?: KafkaAddress;
  /** Which deployment of several this is; two on one log are told apart by it. */
  readonly deployment: string;
  /** Addresses and ranges that may be called though they are not public; absent: as the way of running has it. */
  readonly outboundAllow?: readonly string[];
  /** Calls a minute that lapses make at most to one agent; absent: as the dispatcher has it. */
  readonly agentPerMinute?: number;
  /** The same to all agents of one tenant. */
  readonly tenantPerMinute?: number;
  /**
   * Under which clients and agents reach this API, without a slash at its end; absent: clients as each request has it,
   * and no agent could be told.
   */
  readonly publicUrl?: string;
  /** How many streams one agent is asked for at once, for tasks that are followed. */
  readonly followStreams: number;
  /** How much may be asked for with a reminder. */
  readonly reminderBounds: ReminderBounds;
  readonly logLevel: LogLevel;
  /** Partitions of the log; fixed once the log exists. */
  readonly partitionCount: number;
  /** For how long what is decided stays in the inbox, to be looked at or replayed. */
  readonly inboxRetentionMs: number;
  /** What a tenant's first record sets; from then on its settings are the log's. */
  readonly initialSettings: Settings;
}

/** What is wrong with the environment, all of it: one sentence a variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly retryable = false;
  readonly errors: readonly string[];

  constructor(errors: readonly string[]) {
    super(`the configuration is wrong:\n${errors.map((error) => `  ${error}`).join('\n')}`);
    this.errors = errors;
  }
}

/** Reads the variables, an empty one counting as absent. Throws `ConfigError`. */
export function loadConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const errors: string[] = [];
  const read = <T>(name: string, parse: (text: string) => T | undefined, wanted: string): T | undefined => {
    const text = environment[name] ?? '';
    if (text === '') return undefined;
    const value = parse(text);
    if (value === undefined) errors.push(`${name} must be ${wanted}, not ${JSON.stringify(text)}`);
    return value;
  };
  const count = (name: string, least: number, most: number) =>
    read(name, (text) => parseWhole(text, least, most), `a whole number from ${least} to ${most}`);
  const bootstrapKey = read('DUEWATCH_BOOTSTRAP_KEY', parseKey, 'at least 8 visible ASCII characters');
  const sealKey = read('DUEWATCH_SEAL_KEY', parseSealKey, '32 bytes as 64 hexadecimal digits');
  const kafka = readKafka(environment, errors);
  const databaseUrl = read('DUEWATCH_DATABASE_URL', parseDatabaseUrl, 'a postgres:// URL');
  const redis = read('DUEWATCH_REDIS_URL', parseRedisUrl, 'a redis:// or rediss:// URL without query');
  const outboundAllow = read(
    'DUEWATCH_OUTBOUND_ALLOW',
    parseRanges,
    'addresses and ranges with commas between, such as 10.0.0.0/8,fd00::/8, or "none"',
  );
  const agentPerMinute = count('DUEWATCH_AGENT_RATE', 1, 1_000_000);
  const tenantPerMinute = count('DUEWATCH_TENANT_RATE', 1, 10_000_000);
  const publicUrl = read('DUEWATCH_PUBLIC_URL', parsePublicUrl, 'an http or https URL without user, query or fragment');
  const config: Config = {
    bind: read('DUEWATCH_BIND', parseBind, 'an IP address or a host name') ?? '127.0.0.1',
    port: count('DUEWATCH_PORT', 0, 65_535) ?? 8420,
    dataDirectory: resolve(read('DUEWATCH_DATA_DIR', (text) => text, 'a path') ?? '.duewatch'),
    logLevel: read('DUEWATCH_LOG_LEVEL', parseLogLevel, `one of ${logLevels.join(', ')}`) ?? 'info',
    deployment:
      read('DUEWATCH_DEPLOYMENT', parseTopicPrefix, 'at most 100 letters, digits, ".", "_" and "-", a letter first') ??
      'duewatch',
    partitionCount: count('DUEWATCH_PARTITIONS', 1, 1_000) ?? (kafka === undefined ? 8 : 48),
    inboxRetentionMs:
      read('DUEWATCH_INBOX_RETENTION', parseRetention, 'a duration of at least PT1M without months, such as P7D') ??
      7 * 86_400_000,
    reminderBounds: readReminderBounds(count, errors),
    followStreams: count('DUEWATCH_FOLLOW_STREAMS', 0, 1_000) ?? 100,
    initialSettings: {
      ...defaultSettings,
      ...read('DUEWATCH_INITIAL_SETTINGS', parseSettings, 'a JSON object of settings, such as {"lineageBound":5}'),
    },
    ...(bootstrapKey !== undefined && { bootstrapKey }),
    ...(sealKey !== undefined && { sealKey }),
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(redis !== undefined && { redis }),
    ...(outboundAllow !== undefined && { outboundAllow }),
    ...(agentPerMinute !== undefined && { agentPerMinute }),
    ...(tenantPerMinute !== undefined && { tenantPerMinute }),
    ...(publicUrl !== undefined && { publicUrl }),
    ...(kafka !== undefined && { kafka }),
  };
  if (errors.length > 0) throw new ConfigError(errors.map(withoutSecrets));
  return config;
}

const ownNames: ReadonlySet<string> = new Set([
  ...[
    'BIND',
    'PORT',
    'DATA_DIR',
    'BOOTSTRAP_KEY',
    'DATABASE_URL',
    'REDIS_URL',
    'LOG_LEVEL',
    'PARTITIONS',
    'INITIAL_SETTINGS',
  ],
  ...['INBOX_RETENTION', 'DEPLOYMENT', 'SEAL_KEY', 'OUTBOUND_ALLOW', 'AGENT_RATE', 'TENANT_RATE'],
  ...['PUBLIC_URL', 'FOLLOW_STREAMS', ...kafkaNames, ...reminderNames],
  ...['URL', 'KEY'],
]);

/** The names of variables that look like a setting and are none: most likely mistyped. */
export function unknownSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): readonly string[] {
  return Object.keys(environment).filter((name) => /^DUEWATCH_/.test(name) && !ownNames.has(name.slice(9)));
}

/** A key or a database's password must not end up in a log. */
function withoutSecrets(error: string): string {
  return /^DUEWATCH_(BOOTSTRAP_KEY|DATABASE_URL|REDIS_URL|SEAL_KEY|PUBLIC_URL) /.test(error)
    ? error.replace(/, not .*$/s, '')
    : error;
}

function parseWhole(text: string, least: number, most: number): number | undefined {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : -1;
  return value >= least && value <= most ? value : undefined;
}

function parseBind(text: string): string | undefined {
  return isIP(text) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/.test(text) ? text : undefined;
}

function parseLogLevel(text: string): LogLevel | undefined {
  return logLevels.find((level) => level === text);
}

function parseRetention(text: string): number | undefined {
  const duration = parseDuration(text);
  return duration?.months === 0 && duration.ms >= 60_000 ? duration.ms : undefined;
}

function parseRanges(text: string): readonly string[] | undefined {
  if (text.trim() === 'none') return [];
  const ranges = text.split(',').map((range) => range.trim());
  return ranges.every((range) => parseRange(range) !== undefined) ? ranges : undefined;
}

function parseKey(text: string): string | undefined {
  return /^[\x21-\x7e]{8,512}$/.test(text) ? text : undefined;
}

function parseSealKey(text: string): Uint8Array | undefined {
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : undefined;
}

function parseSettings(text: string): Partial<Settings> | undefined {
  try {
    const settings = readSettings(JSON.parse(text), false);
    return 'settings' in settings ? settings.settings : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function parsePublicUrl(text: string): string | undefined {
  if (!/^https?:\/\/[^/]/.test(text) || !URL.canParse(text)) return undefined;
  const { username, password, search, hash, href } = new URL(text);
  return username + password + search + hash === '' ? href.replace(/\/+$/, '') : undefined;
}

function parseDatabaseUrl(text: string): string | undefined {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol) ? text : undefined;
}
