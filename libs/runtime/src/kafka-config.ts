// The settings of Kafka from the environment (`DUEWATCH_KAFKA_*`). A secret must never be in what it says is wrong.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { SecureContextOptions } from 'node:tls';
import type { KafkaAddress, KafkaSasl } from './kafka-address.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const mechanisms = ['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'] as const;

const tlsNames = ['TLS_CA', 'TLS_CERT', 'TLS_KEY'] as const;
const passwordNames = ['SASL_USERNAME', 'SASL_PASSWORD', 'SASL_PASSWORD_FILE'] as const;
const oauthNames = [
  ...(['SASL_TOKEN_URL', 'SASL_CLIENT_ID', 'SASL_CLIENT_SECRET', 'SASL_CLIENT_SECRET_FILE'] as const),
  'SASL_SCOPE' as const,
];
const names = ['PREFIX', 'TLS', ...tlsNames, 'SASL', ...passwordNames, ...oauthNames] as const;

type Name = 'BROKERS' | (typeof names)[number];

const LARGEST_FILE_BYTES = 1024 * 1024;

/** What the variables are called, without `DUEWATCH_`. */
export const kafkaNames: readonly string[] = ['BROKERS', ...names].map((name) => `KAFKA_${name}`);

/**
 * Reads the variables, an empty one counting as absent, and the files that they name. What is wrong is added to
 * `errors`, and the answer is then of no use. Undefined where no brokers are named.
 */
export function readKafka(environment: Environment, errors: string[]): KafkaAddress | undefined {
  const variables = new KafkaVariables(environment, errors);
  if (variables.text('BROKERS') === undefined) {
    // A process that was meant for Kafka must not begin a log of its own.
    variables.refuseAny(names, 'is of no use without DUEWATCH_KAFKA_BROKERS');
    return undefined;
  }
  const tls = readTls(variables);
  const sasl = readSasl(variables);
  return {
    brokers: variables.parsed('BROKERS', parseBrokers, 'host:port, or several with commas between') ?? [],
    prefix:
      variables.parsed('PREFIX', parseTopicPrefix, 'at most 100 letters, digits, ".", "_" and "-", a letter first') ??
      'duewatch',
    ...(tls !== undefined && { tls }),
    ...(sasl !== undefined && { sasl }),
  };
}

/** The text, where it may begin the name of a topic, a group or a transactional id. */
export function parseTopicPrefix(text: string): string | undefined {
  return /^[A-Za-z][A-Za-z0-9._-]{0,99}$/.test(text) ? text : undefined;
}

function readTls(variables: KafkaVariables): SecureContextOptions | undefined {
  const parseSwitch = (text: string) => ['true', 'false'].find((value) => value === text);
  if (variables.parsed('TLS', parseSwitch, 'true or false') !== 'true') {
    variables.refuseAny(tlsNames, 'is of no use unless DUEWATCH_KAFKA_TLS is true');
    return undefined;
  }
  const ca = variables.file('TLS_CA', (pem) => new X509Certificate(pem), 'certificates as PEM');
  const cert = variables.file('TLS_CERT', (pem) => new X509Certificate(pem), 'certificates as PEM');
  const key = variables.file('TLS_KEY', (pem) => createPrivateKey(pem), 'a private key as PEM, without passphrase');
  if ((variables.text('TLS_CERT') === undefined) !== (variables.text('TLS_KEY') === undefined)) {
    variables.refuse('TLS_CERT', 'and DUEWATCH_KAFKA_TLS_KEY belong together: set both or none');
  }
  if (cert !== undefined && key !== undefined && !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    variables.refuse('TLS_KEY', 'is not the key of the certificate in DUEWATCH_KAFKA_TLS_CERT');
  }
  return { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) };
}

function readSasl(variables: KafkaVariables): KafkaSasl | undefined {
  const parseMechanism = (text: string) => mechanisms.find((mechanism) => mechanism === text.toLowerCase());
  const mechanism = variables.parsed('SASL', parseMechanism, `one of ${mechanisms.join(', ')}`);
  if (mechanism === undefined) {
    if (variables.text('SASL') === undefined) {
      variables.refuseAny([...passwordNames, ...oauthNames], 'is of no use without DUEWATCH_KAFKA_SASL');
    }
    return undefined;
  }
  if (mechanism !== 'oauthbearer') {
    variables.refuseAny(oauthNames, `is of no use with DUEWATCH_KAFKA_SASL=${mechanism}`);
    return {
      mechanism,
      username: variables.needed('SASL_USERNAME', `with DUEWATCH_KAFKA_SASL=${mechanism}`),
      password: variables.secret('SASL_PASSWORD', 'SASL_PASSWORD_FILE', `with DUEWATCH_KAFKA_SASL=${mechanism}`),
    };
  }
  variables.refuseAny(passwordNames, 'is of no use with DUEWATCH_KAFKA_SASL=oauthbearer');
  const scope = variables.text('SASL_SCOPE');
  const why = 'with DUEWATCH_KAFKA_SASL=oauthbearer';
  variables.parsed('SASL_TOKEN_URL', parseTokenUrl, 'an http:// or https:// URL without credentials');
  return {
    mechanism,
    tokenUrl: variables.needed('SASL_TOKEN_URL', why),
    clientId: variables.needed('SASL_CLIENT_ID', why),
    clientSecret: variables.secret('SASL_CLIENT_SECRET', 'SASL_CLIENT_SECRET_FILE', why),
    ...(scope !== undefined && { scope }),
  };
}

/** The variables by their short names, and what is wrong with them. */
class KafkaVariables {
  constructor(
    private readonly environment: Environment,
    private readonly errors: string[],
  ) {}

  text(name: Name): string | undefined {
    return this.environment[`DUEWATCH_KAFKA_${name}`] || undefined;
  }

  refuse(name: Name, why: string): void {
    this.errors.push(`DUEWATCH_KAFKA_${name} ${why}`);
  }

  refuseAny(names: readonly Name[], why: string): void {
    for (const name of names) if (this.text(name) !== undefined) this.refuse(name, why);
  }

  parsed<T>(name: Name, parse: (text: string) => T | undefined, wanted: string): T | undefined {
    const text = this.text(name);
    const value = text === undefined ? undefined : parse(text);
    if (text !== undefined && value === undefined) {
      // A URL with a password in it, in the wrong variable or not, must not end up in a log.
      this.refuse(name, `must be ${wanted}${text.includes('@') ? '' : `, not ${JSON.stringify(text)}`}`);
    }
    return value;
  }

  needed(name: Name, why: string): string {
    const text = this.text(name);
    if (text === undefined) this.refuse(name, `is needed ${why}`);
    return text ?? '';
  }

  /** From the variable or from the file that the other names, as containers mount them. */
  secret(name: Name, fileName: Name, why: string): string {
    const given = this.text(name);
    if (this.text(fileName) === undefined) {
      if (given === undefined) this.refuse(name, `or DUEWATCH_KAFKA_${fileName} is needed ${why}`);
      return given ?? '';
    }
    if (given !== undefined) this.refuse(name, `and DUEWATCH_KAFKA_${fileName} are both set: one is enough`);
    const isFull = (text: string) => {
      if (text.trim() === '') throw new Error('it is empty');
    };
    return this.file(fileName, isFull, 'the secret')?.replace(/\r?\n$/, '') ?? '';
  }

  /** The text of the file that the variable names; `check` throws where it is not what is wanted. */
  file(name: Name, check: (text: string) => unknown, wanted: string): string | undefined {
    const path = this.text(name);
    if (path === undefined) return undefined;
    const refuse = (why: string) => this.refuse(name, `must name a file with ${wanted}, and ${why}`);
    let text: string;
    try {
      if (statSync(path).size > LARGEST_FILE_BYTES) return (refuse(`${JSON.stringify(path)} is too large`), undefined);
      text = readFileSync(path, 'utf8');
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      return (refuse(`${JSON.stringify(path)} cannot be read (${code ?? 'unknown'})`), undefined);
    }
    try {
      check(text);
      return text;
    } catch {
      return (refuse(`${JSON.stringify(path)} holds something else`), undefined);
    }
  }
}

/** A host's name or IPv4 address: the client takes an address apart at its first colon. */
function parseBrokers(text: string): readonly string[] | undefined {
  const brokers = text.split(',').map((broker) => broker.trim());
  const isBroker = (broker: string): boolean => {
    const [, port] = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,252}[A-Za-z0-9])?:(\d{1,5})$/.exec(broker) ?? [];
    return port !== undefined && Number(port) >= 1 && Number(port) <= 65_535;
  };
  return brokers.every(isBroker) ? brokers : undefined;
}

function parseTokenUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' ? text : undefined;
}
