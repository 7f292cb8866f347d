// What the client's errors are to whoever uses the log: a fault of the world, or a log that cannot be used as it is.
// A secret must never be in what is said.
import { FencedError, LogMisconfiguredError, LogUnavailableError } from '#event-log';
import type { KafkaAddress } from '#runtime';

/** The members of kafkajs's errors that are looked at. */
interface ClientError extends Error {
  readonly type?: string;
  readonly retriable?: boolean;
  readonly errors?: readonly unknown[];
}

/** What the port throws is said already, whatever of the client's is behind it. */
const ports = [FencedError, LogUnavailableError, LogMisconfiguredError];

/**
 * The error as the port throws it; `doing` completes "Kafka does not allow somebody to". What is not the client's is
 * given back as it is: a bug.
 */
export function toLogFault(error: unknown, address: KafkaAddress, doing: string): unknown {
  const chain = chainOf(error);
  const typed = chain.find((one) => ports.some((port) => one instanceof port));
  if (typed !== undefined) return typed;
  if (!chain.some(({ name }) => name.startsWith('KafkaJS'))) return error;
  const deepest = chain.at(-1);
  const options = { cause: error };
  const refused = chain.find(({ name }) => name === 'KafkaJSSASLAuthenticationError');
  if (refused !== undefined) {
    const message = `Kafka at ${placesOf(address)} does not let ${whoIs(address)} in: ${refused.message}`;
    return new LogUnavailableError(message, options);
  }
  const answered = chain.find(({ type }) => type !== undefined && type !== 'ILLEGAL_SASL_STATE');
  if (answered === undefined) {
    const why = `${deepest?.message ?? ''}${hintOf(chain, address)}`;
    return new LogUnavailableError(`Kafka cannot be reached at ${placesOf(address)}: ${why}`, options);
  }
  const { type = '', message, retriable } = answered;
  if (type.endsWith('_AUTHORIZATION_FAILED')) {
    const what = `Kafka does not allow ${whoIs(address)} to ${doing} (${type}): it lacks an ACL, see docs/kafka.md`;
    return new LogUnavailableError(what, options);
  }
  const what = `Kafka could not ${doing}: ${message} (${type})`;
  return retriable === true ? new LogUnavailableError(what, options) : new LogMisconfiguredError('topics', what);
}

/** As `toLogFault`, of a log that was found usable when it was opened: whatever the brokers say now may pass. */
export function toPassingFault(error: unknown, address: KafkaAddress, doing: string): unknown {
  const fault = toLogFault(error, address, doing);
  return fault instanceof LogMisconfiguredError ? new LogUnavailableError(fault.message, { cause: error }) : fault;
}

/** What kind of answer of a broker is behind an error, by Kafka's name for it. */
export function answerTypeOf(error: unknown): string | undefined {
  return chainOf(error).find(({ type }) => type !== undefined)?.type;
}

/** The error, what is behind it, and what is behind that. */
function chainOf(error: unknown): ClientError[] {
  const chain: ClientError[] = [];
  let next = error;
  while (next instanceof Error && chain.length < 10) {
    const current: ClientError = next;
    chain.push(current);
    next = current.errors?.[0] ?? current.cause;
  }
  return chain;
}

function placesOf({ brokers }: KafkaAddress): string {
  return brokers.join(',');
}

function whoIs({ sasl, tls }: KafkaAddress): string {
  if (sasl?.mechanism === 'oauthbearer') return `the client ${sasl.clientId} (oauthbearer)`;
  if (sasl !== undefined) return `${sasl.username} (${sasl.mechanism})`;
  return tls?.cert === undefined ? 'a client without a name' : 'the client of the certificate';
}

/** What most likely is configured wrongly. A listener that was meant for another protocol only ends the connection. */
function hintOf(chain: readonly ClientError[], { tls, sasl }: KafkaAddress): string {
  const isAny = (pattern: RegExp): boolean => chain.some(({ message }) => pattern.test(message));
  if (isAny(/certificate|altname/i)) {
    return isAny(/alert/) && tls?.cert === undefined
      ? '. Does it want a client’s certificate, DUEWATCH_KAFKA_TLS_CERT?'
      : '. DUEWATCH_KAFKA_TLS_CA must hold the authority of its certificate, and that the name in DUEWATCH_KAFKA_BROKERS';
  }
  if (!isAny(/closed|ECONNRESET|disconnected|version number|time(d |-)?out/i)) return '';
  if (tls === undefined) return '. Where its listener speaks TLS, set DUEWATCH_KAFKA_TLS=true';
  return `. Does its listener speak TLS${sasl === undefined ? ' without SASL' : ' with SASL'}?`;
}
