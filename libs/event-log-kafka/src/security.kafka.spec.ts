import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import kafkajs, { type Admin } from 'kafkajs';
import { LogUnavailableError } from '#event-log';
import { type KafkaAddress, loadConfig } from '#runtime';
import { type SecuredBroker, startSecuredBroker } from '#testing';
import { applyTopics, readTopicPlan } from './topics/apply-topics.ts';
import { assertUsableTopics } from './topics/assert-usable-topics.ts';

const partitionCount = 2;
const wanted = { partitionCount };
const { TOPIC } = kafkajs.AclResourceTypes;
const { DESCRIBE, DESCRIBE_CONFIGS, CREATE, ALTER_CONFIGS } = kafkajs.AclOperationTypes;
const { PREFIXED } = kafkajs.ResourcePatternTypes;

/** A token that this broker believes: unsecured, of RFC 7515 appendix A.5. */
function tokenOf(subject: string, lifetimeSeconds: number): string {
  const issuedAt = Math.floor(Date.now() / 1_000);
  const parts = [{ alg: 'none' }, { sub: subject, iat: issuedAt, exp: issuedAt + lifetimeSeconds }];
  return `${parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
}

/** A token endpoint that knows one client. */
async function startTokenEndpoint(subject: string, secret: string): Promise<Server> {
  const known = `Basic ${Buffer.from(`${subject}:${secret}`).toString('base64')}`;
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization === known;
    const answer = isKnown ? { access_token: tokenOf(subject, 300), expires_in: 300 } : { error: 'invalid_client' };
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

describe('a broker that asks who is there', () => {
  let broker: SecuredBroker;
  let operator: Admin;
  const closing: (() => Promise<unknown>)[] = [];
  let tokenUrl: string;
  let tls: Readonly<Record<string, string>>;

  beforeAll(async () => {
    const tokens = await startTokenEndpoint('watcher', 's3cret');
    closing.push(() => new Promise((resolve) => tokens.close(resolve).closeAllConnections()));
    broker = await startSecuredBroker({ username: 'watcher', password: 'right' });
    closing.push(() => broker.close());
    tokenUrl = `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`;
    tls = {
      DUEWATCH_KAFKA_BROKERS: broker.sasl,
      DUEWATCH_KAFKA_TLS: 'true',
      DUEWATCH_KAFKA_TLS_CA: broker.certificates.ca,
    };
    operator = new kafkajs.Kafka({ brokers: [broker.inTheClear], logLevel: kafkajs.logLevel.NOTHING }).admin();
    closing.push(() => operator.disconnect());
    await operator.connect();
    await allow('User:watcher', 'duewatch.', [DESCRIBE, DESCRIBE_CONFIGS]);
    await allow('User:CN=watcher', 'duewatch.', [DESCRIBE, DESCRIBE_CONFIGS]);
    await applyTopics({ brokers: [broker.inTheClear], prefix: 'duewatch' }, wanted);
  });

  afterAll(async () => {
    for (const close of closing.toReversed()) await close();
  });

  function allow(
    principal: string,
    prefix: string,
    operations: readonly kafkajs.AclOperationTypes[],
  ): Promise<unknown> {
    const own = { principal, host: '*', permissionType: kafkajs.AclPermissionTypes.ALLOW };
    const pattern = { resourceType: TOPIC, resourceName: prefix, resourcePatternType: PREFIXED };
    return operator.createAcls({ acl: operations.map((operation) => ({ ...own, ...pattern, operation })) });
  }

  function addressOf(environment: Readonly<Record<string, string>>): KafkaAddress {
    const { kafka } = loadConfig({ ...tls, ...environment });
    if (kafka === undefined) throw new Error('the environment names no brokers');
    return kafka;
  }

  const known = (mechanism: string, password: string): KafkaAddress =>
    addressOf({
      DUEWATCH_KAFKA_SASL: mechanism,
      DUEWATCH_KAFKA_SASL_USERNAME: 'watcher',
      DUEWATCH_KAFKA_SASL_PASSWORD: password,
    });

  const byToken = (secret: string): KafkaAddress =>
    addressOf({
      DUEWATCH_KAFKA_SASL: 'oauthbearer',
      DUEWATCH_KAFKA_SASL_TOKEN_URL: tokenUrl,
      DUEWATCH_KAFKA_SASL_CLIENT_ID: 'watcher',
      DUEWATCH_KAFKA_SASL_CLIENT_SECRET: secret,
    });

  const usable = (address: KafkaAddress) => assertUsableTopics(address, partitionCount);

  async function refusal(address: KafkaAddress): Promise<string> {
    const error: unknown = await usable(address).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(LogUnavailableError);
    return (error as Error).message;
  }

  describe.each(['plain', 'scram-sha-256', 'scram-sha-512'])('by %s', (mechanism) => {
    it('lets in who knows the password', async () => {
      expect(await usable(known(mechanism, 'right'))).toEqual([]);
    });

    it('keeps out who does not, in a sentence without the password', async () => {
      const sentence = await refusal(known(mechanism, 'hunter2'));
      const start = `Kafka at ${broker.sasl} does not let watcher (${mechanism}) in: SASL `;
      expect(sentence.slice(0, start.length)).toBe(start);
      expect(sentence).toMatch(/ authentication failed: Authentication failed.* [Ii]nvalid /);
      expect(sentence).not.toContain('hunter2');
    });
  });

  describe('by oauthbearer', () => {
    it('lets in who has a token', async () => {
      expect(await usable(byToken('s3cret'))).toEqual([]);
    });

    it('keeps out whom the token endpoint does not know', async () => {
      expect(await refusal(byToken('hunter2'))).toBe(
        `${tokenUrl} gave no token for the client watcher (401: invalid_client)`,
      );
    });
  });

  describe('by a certificate', () => {
    const certified = (environment: Readonly<Record<string, string>>) =>
      addressOf({ DUEWATCH_KAFKA_BROKERS: broker.certified, ...environment });

    it('lets in who has one', async () => {
      const { clientCert, clientKey } = broker.certificates;
      const address = certified({ DUEWATCH_KAFKA_TLS_CERT: clientCert, DUEWATCH_KAFKA_TLS_KEY: clientKey });
      expect(await usable(address)).toEqual([]);
    });

    it('keeps out who has none', async () => {
      expect(await refusal(certified({}))).toMatch(/Does it want a client’s certificate, DUEWATCH_KAFKA_TLS_CERT\?$/);
    });
  });

  describe('in another way than it speaks', () => {
    it('is not believed where its authority is not known', async () => {
      const sentence = await refusal({ ...known('plain', 'right'), tls: {} });
      expect(sentence).toMatch(/^Kafka cannot be reached at .*certificate\. DUEWATCH_KAFKA_TLS_CA must hold/);
    });

    it('ends a connection in the clear', async () => {
      const { tls: _, ...inTheClear } = known('plain', 'right');
      expect(await refusal(inTheClear)).toMatch(/Where its listener speaks TLS, set DUEWATCH_KAFKA_TLS=true$/);
    });

    it('ends a connection of TLS to a listener in the clear, and one without SASL', async () => {
      const toTheClear = { ...known('plain', 'right'), brokers: [broker.inTheClear] };
      expect(await refusal(toTheClear)).toMatch(/Does its listener speak TLS with SASL\?$/);
      expect(await refusal(addressOf({}))).toMatch(/Does its listener speak TLS without SASL\?$/);
    });
  });

  describe('with its ACLs', () => {
    const elsewhere = (): KafkaAddress => ({ ...known('plain', 'right'), prefix: 'elsewhere' });

    it('names what a service may not do', async () => {
      expect(await refusal(elsewhere())).toBe(
        'Kafka does not allow watcher (plain) to look at the topics elsewhere.* (TOPIC_AUTHORIZATION_FAILED): ' +
          'it lacks an ACL, see docs/kafka.md',
      );
    });

    it('lets a service look at the topics and not make any', async () => {
      const address = { ...known('plain', 'right'), prefix: 'duewatch.blue' };
      expect(await readTopicPlan(address, wanted)).toHaveLength(5);
      await expect(applyTopics(address, wanted)).rejects.toThrow(
        'Kafka does not allow watcher (plain) to make the topics duewatch.blue.* (TOPIC_AUTHORIZATION_FAILED)',
      );
    });

    it('lets the topics command make and configure them with what is documented', async () => {
      await allow('User:watcher', 'elsewhere.', [DESCRIBE, DESCRIBE_CONFIGS, CREATE, ALTER_CONFIGS]);
      expect(await applyTopics(elsewhere(), wanted)).toMatchObject({ left: [] });
      const retention = [{ name: 'retention.ms', value: '1000' }];
      const resources = [
        { type: kafkajs.ConfigResourceTypes.TOPIC, name: 'elsewhere.ledger', configEntries: retention },
      ];
      await operator.alterConfigs({ validateOnly: false, resources });
      expect(await applyTopics(elsewhere(), wanted)).toMatchObject({ left: [] });
      expect(await usable(elsewhere())).toEqual([]);
    });
  });
});
