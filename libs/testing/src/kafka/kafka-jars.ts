// Apache Kafka as Maven has it, kept in the user's cache so that it is fetched once. What is there is whole, or it is
// not there: it is made beside and renamed, and looked at before each use. Nothing of it enters the repository.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { requireMaven } from './java.ts';

const run = promisify(execFile);

export const kafkaVersion = '4.4.0';

/** One SLF4J binding, or the broker's errors stay invisible. */
const artifacts = [
  ['org.apache.kafka', 'kafka_2.13', kafkaVersion],
  ['org.apache.kafka', 'kafka-tools', kafkaVersion],
  ['org.slf4j', 'slf4j-simple', '1.7.36'],
] as const;

/** What was fetched: the pom that was asked for, and each jar with its bytes. */
interface Contents {
  readonly pom: string;
  readonly jars: Readonly<Record<string, number>>;
}

/** The class path of Kafka's server and tools; fetches them where they are not in the cache. */
export async function kafkaClassPath(): Promise<string> {
  const directory = join(cacheDirectory(), `kafka-${kafkaVersion}`);
  if (!(await isWhole(directory))) await fetchInto(directory);
  return join(directory, '*');
}

function cacheDirectory(): string {
  const configured = process.env['XDG_CACHE_HOME'] ?? '';
  return join(configured === '' ? join(homedir(), '.cache') : configured, 'duewatch');
}

async function fetchInto(directory: string): Promise<void> {
  await requireMaven();
  await mkdir(dirname(directory), { recursive: true });
  const fresh = await mkdtemp(`${directory}-new-`);
  try {
    await fetchJars(fresh);
    await putInPlace(fresh, directory);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  if (!(await isWhole(directory))) throw new Error(`Kafka could not be put in ${directory}: it is not whole there`);
}

async function fetchJars(directory: string): Promise<void> {
  const pomFile = join(directory, 'pom.xml');
  await writeFile(pomFile, pom());
  const parameters = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${directory}`];
  try {
    await run('mvn', ['--batch-mode', '--quiet', '--file', pomFile, ...parameters], { maxBuffer: 1 << 24 });
  } catch (error) {
    const said = String((error as { stdout?: unknown }).stdout)
      .trim()
      .split('\n')
      .slice(0, 20)
      .join('\n');
    throw new Error(`Maven could not fetch Kafka ${kafkaVersion}:\n${said}`, { cause: error });
  }
  const names = (await readdir(directory)).filter((name) => name.endsWith('.jar'));
  const sizes = await Promise.all(names.map(async (name) => [name, (await stat(join(directory, name))).size] as const));
  const contents: Contents = { pom: pom(), jars: Object.fromEntries(sizes) };
  await writeFile(join(directory, 'contents.json'), JSON.stringify(contents, null, 2));
}

/** Another run may have been faster: what is whole by then is as good as ours. */
async function putInPlace(fresh: string, directory: string): Promise<void> {
  if (await isWhole(directory)) return;
  const broken = await mkdtemp(`${directory}-old-`);
  try {
    await rename(directory, join(broken, 'kafka')).catch(ignoreCode('ENOENT'));
    await rename(fresh, directory).catch(ignoreCode('ENOTEMPTY', 'EEXIST'));
  } finally {
    await rm(broken, { recursive: true, force: true });
  }
}

async function isWhole(directory: string): Promise<boolean> {
  try {
    const contents = JSON.parse(await readFile(join(directory, 'contents.json'), 'utf8')) as Contents;
    const jars = Object.entries(contents.jars);
    const sizes = await Promise.all(jars.map(async ([name]) => (await stat(join(directory, name))).size));
    return contents.pom === pom() && jars.length > 0 && jars.every(([, size], index) => size === sizes[index]);
  } catch {
    return false;
  }
}

function ignoreCode(...codes: readonly string[]): (error: unknown) => void {
  return (error) => {
    if (!codes.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  };
}

function pom(): string {
  const dependencies = artifacts.map(
    ([group, name, version]) =>
      `    <dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`,
  );
  return [
    '<project xmlns="http://maven.apache.org/POM/4.0.0">',
    '  <modelVersion>4.0.0</modelVersion>',
    '  <groupId>duewatch</groupId><artifactId>kafka-for-tests</artifactId><version>1</version><packaging>pom</packaging>',
    '  <dependencies>',
    ...dependencies,
    '  </dependencies>',
    '</project>',
    '',
  ].join('\n');
}
