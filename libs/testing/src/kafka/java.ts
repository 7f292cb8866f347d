// The two programs a Kafka without Docker needs. It must say what is missing, and never go on with half of it.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const oldestJava = 17;

/** Refuses where there is no Java, or one that this Kafka does not run on. */
export async function requireJava(): Promise<void> {
  // It prints its version to stderr: openjdk version "17.0.15" 2025-04-15.
  const { stderr } = await find('java', ['-version'], `a Java ${oldestJava} or newer (Debian: default-jre-headless)`);
  const version = Number(/version "(\d+)/.exec(stderr)?.[1]);
  if (!(version >= oldestJava)) {
    throw new Error(`Kafka needs Java ${oldestJava} or newer; "java" here is: ${stderr.split('\n', 1)[0] ?? ''}`);
  }
}

/** Refuses where there is no Maven. */
export async function requireMaven(): Promise<void> {
  await find('mvn', ['--version'], 'Maven, which fetches Kafka (Debian: maven)');
}

async function find(command: string, parameters: readonly string[], meaning: string): Promise<{ stderr: string }> {
  try {
    return await run(command, parameters);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const wrong = isMissing ? 'is not installed' : 'does not run';
    throw new Error(`"${command}" ${wrong}: a Kafka for tests needs ${meaning}, or KAFKA_BROKERS`, { cause: error });
  }
}
