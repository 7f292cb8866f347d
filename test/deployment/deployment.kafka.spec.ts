/**
 * What docker-compose.yml and the manifests start, run as it stands there on a real broker, with only hosts and ports
 * replaced: until all is ready, an expectation has lapsed and its fact has come, and then stopped as containers are.
 *
 * @jest-environment ./test/system/failure-keeping-environment.mjs
 */
import { execFile } from 'node:child_process';
import { findFreePort, type Spawned, spawnNode } from '#runtime';
import { until } from '../system/watcher.ts';
import { readCompose } from './compose-file.ts';
import { readManifests, workloadsIn } from './manifests.ts';
import { NativeDeployment } from './native-deployment.ts';
import type { NativeWorkload } from './native-workload.ts';
import { readmeExpectation, readmeFact, readmeObservation } from './readme-story.ts';
import { root } from './repository-file.ts';
import { appOf, isOurs } from './workload.ts';

let deployment: NativeDeployment;

beforeEach(async () => {
  deployment = await NativeDeployment.prepare();
});
afterEach(() => deployment.remove());

/** Calls the API through the front. */
async function call(key: string, method: string, path: string, body?: unknown): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${deployment.front.url}${path}`, { method, headers, ...sent });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text;
}

/** The README's five minutes: an agent, an expectation, its lapse in the record and at the agent, the fact. */
async function live(key: string, agentUrl: string): Promise<void> {
  await call(key, 'PUT', '/v1/agents/flights', { cardUrl: `${agentUrl}/.well-known/agent-card.json` });
  const dueAt = new Date(Date.now() + 500).toISOString();
  const observed = await call(key, 'POST', '/v1/observations', readmeObservation(dueAt));
  expect(JSON.parse(observed)).toMatchObject({ results: [{ expectations: [{ outcome: 'recorded' }] }] });
  await until(async () => (await call(key, 'GET', '/v1/lapses')).includes('"ek203-departure"'));
  await until(async () =>
    (await (await fetch(`${agentUrl}/lapses`)).text()).includes('lapse:ek203-departure:overdue:'),
  );
  const told = await call(key, 'POST', '/v1/facts', readmeFact(new Date().toISOString()));
  const { position, results } = JSON.parse(told) as { readonly position: string; readonly results: unknown };
  expect(results).toMatchObject([{ outcome: 'accepted', satisfied: [{ expectationId: 'ek203-departure' }] }]);
  const shown = await call(key, 'GET', `${readmeExpectation}?after=${position}`);
  expect(JSON.parse(shown)).toMatchObject({ status: 'satisfied', late: true, lapses: [{ lapse: 'overdue' }] });
  expect(await call(key, 'GET', '/')).toContain('<title>');
}

describe('docker-compose.yml', () => {
  const services = readCompose().services.filter(isOurs);
  const wanted = (isWanted: (name: string) => boolean) =>
    services
      .filter(({ name }) => isWanted(name))
      .map((service) => ({ workload: service, count: service.replicaCount }));

  /** Asks as the file says that it is asked, at the address where it listens here. */
  function isHealthy({ workload, url }: NativeWorkload): Promise<boolean> {
    const check = services.find(({ name }) => name === workload.name)?.healthCheck ?? [];
    const [, ...told] = check.map((word) => word.replace('http://127.0.0.1:8420', url ?? 'http://127.0.0.1:1'));
    return new Promise((resolve) => {
      execFile(process.execPath, told, { cwd: root }, (error) => resolve(error === null));
    });
  }

  it('starts, is healthy, tells an agent of a lapse, and stops in order', async () => {
    const [topics] = deployment.start(wanted((name) => name === 'topics'));
    expect(await topics!.ended()).toBe(0);
    const apps = deployment.start(wanted((name) => name !== 'topics' && name !== 'demo'));
    expect(apps).toHaveLength(7);
    await Promise.all(apps.map((app) => app.untilWell(isHealthy)));

    const agentPort = await findFreePort();
    const agentUrl = `http://127.0.0.1:${agentPort}`;
    const replacements = new Map([
      ['http://proxy:8420', deployment.front.url],
      ['http://demo:8421', agentUrl],
      ['--agent-port=8421', `--agent-port=${agentPort}`],
    ]);
    const [demo] = deployment.start(
      wanted((name) => name === 'demo'),
      replacements,
    );
    await demo!.untilWell(async () => (await fetch(`${agentUrl}/.well-known/agent-card.json`)).ok);
    const key = demo!.workload.environment['DUEWATCH_KEY']!;
    await live(key, agentUrl);
    // The feed's own: flights of the day.
    await until(async () =>
      /"satisfiedAt":.*"subject":\{"type":"flight","id":"(?!EK203)/.test(
        await call(key, 'GET', '/v1/expectations?status=satisfied'),
      ),
    );

    const codes = await deployment.stop();
    expect(codes.filter(([, code]) => code !== 0)).toEqual([]);
  });
});

describe('deploy/k8s', () => {
  const workloads = workloadsIn(readManifests()).filter(isOurs);
  let agent: Spawned | undefined;

  afterEach(() => agent?.stop());

  /** Asks by the probes, in their order. */
  async function isReady({ workload, url }: NativeWorkload): Promise<boolean> {
    const { container } = workloads.find(({ name }) => name === workload.name)!;
    for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
      if (url === undefined || !(await fetch(`${url}${container[probe].httpGet.path}`)).ok) return false;
    }
    return true;
  }

  it('starts, is ready, tells an agent of a lapse, and stops in order', async () => {
    const once = (isWanted: (isApp: boolean) => boolean) =>
      workloads
        .filter((workload) => isWanted(appOf(workload) !== undefined))
        .map((workload) => ({ workload, count: 1 }));
    const [topics] = deployment.start(once((isApp) => !isApp));
    expect(await topics!.ended()).toBe(0);
    const apps = deployment.start(once((isApp) => isApp));
    expect(apps).toHaveLength(6);
    await Promise.all(apps.map((app) => app.untilWell(isReady)));

    agent = spawnNode(`${root}/dist/examples/flights/agent.js`, ['0'], () => undefined);
    const agentUrl = await agent.firstLine((line) => /^listening (http:\S+)/.exec(line)?.[1]);
    await live(
      apps.find(({ workload }) => workload.name === 'intake')!.workload.environment['DUEWATCH_BOOTSTRAP_KEY']!,
      agentUrl,
    );

    const codes = await deployment.stop();
    expect(codes.filter(([, code]) => code !== 0)).toEqual([]);
  });
});
