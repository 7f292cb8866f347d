import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { loadConfig } from './config.ts';

const brokers = { DUEWATCH_KAFKA_BROKERS: 'kafka-1:9092, 10.0.0.2:9093' };
const plain = { ...brokers, DUEWATCH_KAFKA_SASL: 'plain', DUEWATCH_KAFKA_SASL_USERNAME: 'watcher' };
const oauth = {
  ...brokers,
  DUEWATCH_KAFKA_SASL: 'oauthbearer',
  DUEWATCH_KAFKA_SASL_TOKEN_URL: 'https://sso.example/token',
  DUEWATCH_KAFKA_SASL_CLIENT_ID: 'watcher',
};

/** What is said to be wrong, a sentence each. */
function errorsOf(environment: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadConfig(environment);
    return [];
  } catch (error) {
    return (error as { readonly errors: readonly string[] }).errors;
  }
}

describe('the settings of Kafka', () => {
  const folder = mkdtempSync(join(tmpdir(), 'duewatch-kafka-config-'));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const certificate = rootCertificates[0] ?? '';

  afterAll(() => rmSync(folder, { recursive: true }));

  it('begin with the brokers, and have 48 partitions unless it is said otherwise', () => {
    expect(loadConfig(brokers)).toMatchObject({
      kafka: { brokers: ['kafka-1:9092', '10.0.0.2:9093'], prefix: 'duewatch' },
      partitionCount: 48,
    });
    expect(loadConfig({ ...brokers, DUEWATCH_PARTITIONS: '6' })).toMatchObject({ partitionCount: 6 });
    expect(loadConfig({ ...brokers, DUEWATCH_KAFKA_PREFIX: 'acme.watch' }).kafka?.prefix).toBe('acme.watch');
  });

  it.each(['kafka', 'kafka:0', 'kafka:65536', 'kafka:9092,', '[::1]:9092', 'kafka://kafka:9092'])(
    'refuse %s as brokers',
    (text) => {
      expect(errorsOf({ DUEWATCH_KAFKA_BROKERS: text })).toEqual([
        `DUEWATCH_KAFKA_BROKERS must be host:port, or several with commas between, not "${text}"`,
      ]);
    },
  );

  it.each(['', '.watch', 'acme watch', 'a'.repeat(101), 'acme/watch'].slice(1))('refuse the prefix %s', (text) => {
    expect(errorsOf({ ...brokers, DUEWATCH_KAFKA_PREFIX: text })).toHaveLength(1);
  });

  it('refuse to be given in part, so that nothing runs on another log than was meant', () => {
    expect(errorsOf({ DUEWATCH_KAFKA_TLS: 'true', DUEWATCH_KAFKA_PREFIX: 'acme' })).toEqual([
      'DUEWATCH_KAFKA_PREFIX is of no use without DUEWATCH_KAFKA_BROKERS',
      'DUEWATCH_KAFKA_TLS is of no use without DUEWATCH_KAFKA_BROKERS',
    ]);
    expect(errorsOf({ ...brokers, DUEWATCH_KAFKA_TLS_CA: '/ca.pem', DUEWATCH_KAFKA_SASL_USERNAME: 'u' })).toEqual([
      'DUEWATCH_KAFKA_TLS_CA is of no use unless DUEWATCH_KAFKA_TLS is true',
      'DUEWATCH_KAFKA_SASL_USERNAME is of no use without DUEWATCH_KAFKA_SASL',
    ]);
  });

  describe('of TLS', () => {
    const tls = { ...brokers, DUEWATCH_KAFKA_TLS: 'true' };
    const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

    it('trust what the system trusts, or the certificates of a file', () => {
      expect(loadConfig(tls).kafka).toMatchObject({ tls: {} });
      expect(loadConfig({ ...tls, DUEWATCH_KAFKA_TLS_CA: file('ca.pem', certificate) }).kafka?.tls).toEqual({
        ca: certificate,
      });
      expect(loadConfig({ ...brokers, DUEWATCH_KAFKA_TLS: 'false' }).kafka).not.toHaveProperty('tls');
    });

    it('name the file that is missing or holds something else', () => {
      const found = errorsOf({
        ...tls,
        DUEWATCH_KAFKA_TLS_CA: join(folder, 'missing.pem'),
        DUEWATCH_KAFKA_TLS_CERT: file('wrong.pem', key),
        DUEWATCH_KAFKA_TLS_KEY: file('wrong.key', certificate),
      });
      expect(found).toEqual([
        expect.stringMatching(/^DUEWATCH_KAFKA_TLS_CA must name a file .*missing.pem" cannot be read \(ENOENT\)$/),
        expect.stringMatching(/^DUEWATCH_KAFKA_TLS_CERT must name a file with certificates .* holds something else$/),
        expect.stringMatching(/^DUEWATCH_KAFKA_TLS_KEY must name a file with a private key .* holds something else$/),
      ]);
    });

    it('refuse a certificate without its key, and with the key of another', () => {
      const withCertificate = { ...tls, DUEWATCH_KAFKA_TLS_CERT: file('cert.pem', certificate) };
      expect(errorsOf(withCertificate)).toEqual([expect.stringContaining('belong together')]);
      expect(errorsOf({ ...withCertificate, DUEWATCH_KAFKA_TLS_KEY: file('other.key', key) })).toEqual([
        'DUEWATCH_KAFKA_TLS_KEY is not the key of the certificate in DUEWATCH_KAFKA_TLS_CERT',
      ]);
    });
  });

  describe('of SASL', () => {
    it.each(['plain', 'scram-sha-256', 'scram-sha-512', 'SCRAM-SHA-512'])('take %s with a password', (mechanism) => {
      const environment = { ...plain, DUEWATCH_KAFKA_SASL: mechanism, DUEWATCH_KAFKA_SASL_PASSWORD: 'hunter2' };
      expect(loadConfig(environment).kafka?.sasl).toEqual({
        mechanism: mechanism.toLowerCase(),
        username: 'watcher',
        password: 'hunter2',
      });
    });

    it('take oauthbearer with a client of a token endpoint', () => {
      const environment = { ...oauth, DUEWATCH_KAFKA_SASL_CLIENT_SECRET: 's3cret', DUEWATCH_KAFKA_SASL_SCOPE: 'kafka' };
      expect(loadConfig(environment).kafka?.sasl).toEqual({
        mechanism: 'oauthbearer',
        tokenUrl: 'https://sso.example/token',
        clientId: 'watcher',
        clientSecret: 's3cret',
        scope: 'kafka',
      });
    });

    it('take a secret from a file, without the line’s end', () => {
      const password = file('password', 'hunter2\n');
      expect(loadConfig({ ...plain, DUEWATCH_KAFKA_SASL_PASSWORD_FILE: password }).kafka?.sasl).toMatchObject({
        password: 'hunter2',
      });
      const secret = file('secret', ' s3cret ');
      expect(loadConfig({ ...oauth, DUEWATCH_KAFKA_SASL_CLIENT_SECRET_FILE: secret }).kafka?.sasl).toMatchObject({
        clientSecret: ' s3cret ',
      });
    });

    it('say what is missing, doubled or of another mechanism, and never a secret', () => {
      expect(errorsOf({ ...brokers, DUEWATCH_KAFKA_SASL: 'plain' })).toEqual([
        'DUEWATCH_KAFKA_SASL_USERNAME is needed with DUEWATCH_KAFKA_SASL=plain',
        'DUEWATCH_KAFKA_SASL_PASSWORD or DUEWATCH_KAFKA_SASL_PASSWORD_FILE is needed with DUEWATCH_KAFKA_SASL=plain',
      ]);
      expect(errorsOf({ ...brokers, DUEWATCH_KAFKA_SASL: 'gssapi' })).toEqual([
        'DUEWATCH_KAFKA_SASL must be one of plain, scram-sha-256, scram-sha-512, oauthbearer, not "gssapi"',
      ]);
      const found = errorsOf({
        ...plain,
        DUEWATCH_KAFKA_SASL_PASSWORD: 'hunter2',
        DUEWATCH_KAFKA_SASL_PASSWORD_FILE: file('empty', '\n'),
        DUEWATCH_KAFKA_SASL_CLIENT_SECRET: 's3cret',
      });
      expect(found).toEqual([
        'DUEWATCH_KAFKA_SASL_CLIENT_SECRET is of no use with DUEWATCH_KAFKA_SASL=plain',
        expect.stringContaining('DUEWATCH_KAFKA_SASL_PASSWORD_FILE are both set'),
        expect.stringContaining('holds something else'),
      ]);
      expect(found.join()).not.toMatch(/hunter2|s3cret/);
    });

    it('refuse a token URL that is none or carries credentials, without showing these', () => {
      const withUrl = (url: string) => ({
        ...oauth,
        DUEWATCH_KAFKA_SASL_CLIENT_SECRET: 'x',
        DUEWATCH_KAFKA_SASL_TOKEN_URL: url,
      });
      expect(errorsOf(withUrl('sso.example'))).toEqual([expect.stringContaining('not "sso.example"')]);
      expect(errorsOf(withUrl('https://me:hunter2@sso.example'))).toEqual([
        'DUEWATCH_KAFKA_SASL_TOKEN_URL must be an http:// or https:// URL without credentials',
      ]);
    });
  });
});
