// A broker that asks who is there: TLS with SASL, TLS with a client's certificate, and ACLs. Whoever comes in the clear is
// its operator. One node, ended with the suite.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import kafkajs from 'kafkajs';
import { type Certificates, makeCertificates } from './certificates.ts';
import { findFreePorts } from './free-ports.ts';
import { requireJava } from './java.ts';
import { kafkaClassPath } from './kafka-jars.ts';
import { KafkaNode } from './kafka-node.ts';
import { nodeSettings } from './node-settings.ts';

const run = promisify(execFile);
const startWithinMs = 60_000;

export interface SecuredBroker {
  /** `host:port` of each listener. */
  readonly inTheClear: string;
  /** SASL_SSL: PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, and OAUTHBEARER with unsecured tokens. */
  readonly sasl: string;
  /** SSL, which wants the client's certificate. */
  readonly certified: string;
  readonly certificates: Certificates;
  close(): Promise<void>;
}

export interface SecuredUser {
  readonly username: string;
  readonly password: string;
}

/** Starts it, and waits until it answers and knows the user. Throws its last words where it does not start. */
export async function startSecuredBroker({ username, password }: SecuredUser): Promise<SecuredBroker> {
  await requireJava();
  const classPath = await kafkaClassPath();
  const home = await mkdtemp(join(process.env['DUEWATCH_TEST_DIRECTORY'] ?? tmpdir(), 'duewatch-kafka-'));
  const certificates = await makeCertificates(home, username);
  const [broker = 0, controller = 0, sasl = 0, certified = 0] = await findFreePorts(4);
  const at = (port: number): string => `127.0.0.1:${port}`;
  const open = `PLAINTEXT://${at(broker)},SASL://${at(sasl)},CERTIFIED://${at(certified)}`;
  const jaas = (mechanism: string, module: string): string =>
    `listener.name.sasl.${mechanism}.sasl.jaas.config=org.apache.kafka.common.security.${module}`;
  const settings = [
    // The last line of a name counts.
    nodeSettings(1, [{ broker, controller }], join(home, 'data')).trimEnd(),
    `listeners=${open},CONTROLLER://${at(controller)}`,
    `advertised.listeners=${open}`,
    'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SASL:SASL_SSL,CERTIFIED:SSL',
    'ssl.keystore.type=PEM',
    `ssl.keystore.location=${certificates.broker}`,
    'ssl.truststore.type=PEM',
    `ssl.truststore.location=${certificates.ca}`,
    'listener.name.certified.ssl.client.auth=required',
    'sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER',
    jaas('plain', `plain.PlainLoginModule required user_${username}="${password}";`),
    jaas('scram-sha-256', 'scram.ScramLoginModule required;'),
    jaas('scram-sha-512', 'scram.ScramLoginModule required;'),
    jaas('oauthbearer', 'oauthbearer.OAuthBearerLoginModule required;'),
    'authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users=User:ANONYMOUS',
    '',
  ].join('\n');
  const clusterId = randomBytes(16).toString('base64url');
  const node = await KafkaNode.format({ directory: home, settings, clusterId, classPath, heapMb: 384 });
  const close = async (): Promise<void> => {
    await node.kill();
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await node.start();
    await untilReady(at(broker), node);
    await addScramUser(at(broker), classPath, { username, password });
  } catch (error) {
    await close();
    throw error;
  }
  return { inTheClear: at(broker), sasl: at(sasl), certified: at(certified), certificates, close };
}

async function untilReady(broker: string, node: KafkaNode): Promise<void> {
  const until = Date.now() + startWithinMs;
  while (!(await answers(broker))) {
    if (!node.isRunning || Date.now() > until) {
      throw new Error(`the secured Kafka does not answer; its last words:\n${await node.lastWords()}`);
    }
    await sleep(50);
  }
}

async function answers(broker: string): Promise<boolean> {
  const options = { connectionTimeout: 1_000, requestTimeout: 2_000, retry: { retries: 0 } };
  const client = new kafkajs.Kafka({ brokers: [broker], logLevel: kafkajs.logLevel.NOTHING, ...options });
  const admin = client.admin();
  try {
    await admin.connect();
    return (await admin.describeCluster()).brokers.length === 1;
  } catch {
    return false;
  } finally {
    await admin.disconnect();
  }
}

/** By Kafka's own tool, one mechanism at a time: the client has no request for it. */
async function addScramUser(broker: string, classPath: string, { username, password }: SecuredUser): Promise<void> {
  const quiet = ['-Xmx128m', '-XX:TieredStopAtLevel=1', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'];
  const tool = [...quiet, '-cp', classPath, 'org.apache.kafka.tools.ConfigCommand', '--bootstrap-server', broker];
  for (const mechanism of ['SCRAM-SHA-256', 'SCRAM-SHA-512']) {
    const credential = `${mechanism}=[password=${password}]`;
    const change = ['--alter', '--entity-type', 'users', '--entity-name', username, '--add-config', credential];
    await run('java', [...tool, ...change]);
  }
}
