// The manifests in deploy/k8s, compared with what the apps accept, with one another, and with docker-compose.yml.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { HealthController } from '#runtime';
import { appNames } from '../../apps/cli/src/start/apps.ts';
import { faultsOf, refusedPortAlone, runRefused, wholeEnvironment } from './accepted.ts';
import { readCaddyfile } from './caddyfile.ts';
import { readCompose } from './compose-file.ts';
import { type Labels, type Manifest, readKustomization, readManifests, workloadsIn } from './manifests.ts';
import { root, textOf } from './repository-file.ts';
import { appOf, isOurs } from './workload.ts';

const manifests = readManifests();
const ofKind = (kind: string): readonly Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
const workloads = workloadsIn(manifests);
const ours = workloads.filter(isOurs);
const apps = ours.filter((workload) => appOf(workload) !== undefined);
const deployments = workloads.filter(({ manifest }) => manifest.kind === 'Deployment');
/** How long an app takes to stop at most. */
const mostStopSeconds = 15;

const isIn = (selector: Labels, labels: Labels = {}): boolean =>
  Object.entries(selector).every(([name, value]) => labels[name] === value);

it('names every file of the folder, once', () => {
  const files = readdirSync(join(root, 'deploy/k8s')).filter((file) => file !== 'kustomization.yaml');
  const { resources } = readKustomization();
  expect(resources.filter((resource) => !resource.startsWith('../')).sort()).toEqual(files.sort());
  const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(names).toEqual([...new Set(names)]);
});

it('starts every app, by its name, and makes the topics by a job', () => {
  expect(apps.map(appOf).sort()).toEqual([...appNames].sort());
  expect(apps.map(({ name }) => name)).toEqual(apps.map(appOf));
  expect(ofKind('Job').map(({ metadata }) => metadata.name)).toEqual(['topics']);
});

it.each(ours)('$name is told what it knows, all it needs, and no secret that it does not need', (workload) => {
  expect(faultsOf(workload)).toEqual([]);
});

it.each(ours)('$name runs a command that there is, with settings that it accepts', async (workload) => {
  expect(await runRefused(workload)).toEqual(refusedPortAlone);
});

it('runs the commands and the proxy that docker-compose.yml runs', () => {
  const { services } = readCompose();
  const commandOf = (name: string) => services.find((service) => service.name === name)?.command;
  for (const { name, command } of ours) expect([name, command]).toEqual([name, commandOf(name)]);
  const [image, tag] = services.find(({ name }) => name === 'intake')!.image.split(':');
  expect(readKustomization().images).toEqual([{ name: 'duewatch', newName: image, newTag: tag }]);
  expect(workloads.find(({ name }) => name === 'proxy')!.image).toBe(
    services.find(({ name }) => name === 'proxy')!.image,
  );
});

it.each(apps)('$name is alive while it answers and ready once it says so, asked where it listens', (workload) => {
  const { container } = workload;
  const [port] = container.ports as [{ readonly name: string; readonly containerPort: number }];
  expect(container.ports).toHaveLength(1);
  expect(String(port.containerPort)).toBe(wholeEnvironment(workload)['DUEWATCH_PORT']);
  const pathOf = (what: 'live' | 'ready') =>
    `/${Reflect.getMetadata('path', HealthController) as string}/${Reflect.getMetadata('path', HealthController.prototype[what]) as string}`;
  expect(container.startupProbe.httpGet).toEqual({ path: pathOf('live'), port: port.name });
  expect(container.livenessProbe.httpGet).toEqual({ path: pathOf('live'), port: port.name });
  expect(container.readinessProbe.httpGet).toEqual({ path: pathOf('ready'), port: port.name });
  // A check of what it needs takes 2 s at most before the answer is no.
  expect(container.readinessProbe.timeoutSeconds).toBeGreaterThan(2);
});

it.each(apps)('$name is scraped where it tells how it does', ({ manifest, container }) => {
  expect(manifest.spec.template.metadata.annotations).toMatchObject({
    'prometheus.io/scrape': 'true',
    'prometheus.io/port': String(container.ports[0].containerPort),
    'prometheus.io/path': '/metrics',
  });
});

it.each(deployments)('$name is given time to stop, and is replaced one by one, when the next is ready', (workload) => {
  const { pod, container, manifest, name } = workload;
  const preStop = Number(container.lifecycle?.preStop.exec.command[1] ?? 0);
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(preStop + mostStopSeconds);
  expect(manifest.spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  const isServed = ofKind('Service').some(({ metadata }) => metadata.name === name);
  expect(preStop > 0).toBe(isServed);
});

it.each(workloads)('$name runs without rights, on files that it cannot change', ({ pod, container }) => {
  expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  expect(container.securityContext).toMatchObject({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(container.resources.requests).toEqual({ cpu: expect.any(String), memory: expect.any(String) });
  expect(container.resources.limits.memory).toEqual(expect.any(String));
});

it('leaves the timekeeper’s heap room within its memory', () => {
  const { environment, container } = apps.find(({ name }) => name === 'timekeeper')!;
  const [, heapMb] = /--max-old-space-size=(\d+)/.exec(environment['NODE_OPTIONS']!) ?? [];
  const [, limitGb] = /^(\d+)Gi$/.exec(container.resources.limits.memory as string) ?? [];
  expect(Number(heapMb)).toBeLessThanOrEqual(Number(limitGb) * 1024 * 0.75);
});

it('selects by labels that are there', () => {
  const podLabels = workloads.map(({ manifest }) => manifest.spec.template.metadata.labels as Labels);
  for (const { manifest, name } of deployments) {
    expect(isIn(manifest.spec.selector.matchLabels, manifest.spec.template.metadata.labels)).toBe(true);
    const budgets = ofKind('PodDisruptionBudget').filter(({ spec }) =>
      isIn(spec.selector.matchLabels, manifest.spec.template.metadata.labels),
    );
    expect(budgets.map(({ metadata, spec }) => [metadata.name, spec.maxUnavailable])).toEqual([[name, 1]]);
  }
  for (const { metadata, spec } of ofKind('Service')) {
    const selected = deployments.filter(({ manifest }) => isIn(spec.selector, manifest.spec.template.metadata.labels));
    expect(selected.map(({ name }) => name)).toEqual([metadata.name]);
    expect(selected[0]!.container.ports[0]).toEqual({ name: spec.ports[0].targetPort, containerPort: 8420 });
  }
  for (const { spec } of ofKind('NetworkPolicy')) {
    const { matchLabels = {}, matchExpressions = [] } = spec.podSelector;
    expect(podLabels.some((labels) => isIn(matchLabels, labels))).toBe(true);
    for (const { key, values } of matchExpressions) {
      for (const value of values) expect(podLabels.map((labels) => labels[key])).toContain(value);
    }
  }
});

it('lets the world in to the proxy alone, and the proxy to those it leads to', () => {
  const { routes, port } = readCaddyfile();
  const [ingress] = ofKind('Ingress');
  const { paths } = ingress!.spec.rules[0].http;
  expect(paths).toEqual([
    { path: '/', pathType: 'Prefix', backend: { service: { name: 'proxy', port: { name: 'http' } } } },
  ]);
  const services = ofKind('Service');
  const proxy = services.find(({ metadata }) => metadata.name === 'proxy');
  expect(proxy?.spec.ports).toEqual([{ name: 'http', port, targetPort: 'http' }]);
  const led = [...new Set(routes.flatMap(({ upstream }) => upstream ?? []))];
  const others = services.filter((service) => service !== proxy);
  expect(others.map(({ metadata, spec }) => `${metadata.name}:${spec.ports[0].port}`).sort()).toEqual(led.sort());
  const toEdges = ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === 'proxy-to-edges');
  expect(toEdges?.spec.podSelector.matchExpressions[0].values.map((name: string) => `${name}:8420`).sort()).toEqual(
    led,
  );
});

it('gives the proxy the Caddyfile of docker-compose.yml, where its image looks for it', () => {
  const { pod, container } = workloads.find(({ name }) => name === 'proxy')!;
  const [volume] = pod.volumes;
  const config = ofKind('ConfigMap').find(({ metadata }) => metadata.name === volume.configMap.name);
  expect(config?.data).toEqual({ Caddyfile: textOf('deploy/proxy/Caddyfile') });
  expect(container.volumeMounts[0]).toEqual({ name: volume.name, mountPath: '/etc/caddy', readOnly: true });
  const compose = readCompose().services.find(({ name }) => name === 'proxy');
  expect(compose?.volumes).toEqual(['./deploy/proxy/Caddyfile:/etc/caddy/Caddyfile:ro']);
});

it('says of the secrets that it comes with that they are samples', () => {
  const { DUEWATCH_SEAL_KEY: sealKey, ...secrets } = ofKind('Secret')[0]!.stringData!;
  for (const secret of Object.values(secrets)) expect(secret).toContain('SAMPLE');
  expect(Buffer.from(sealKey!, 'hex').toString()).toContain('SAMPLE');
});

it('calls public addresses alone until it is told where its agents are', () => {
  const config = ofKind('ConfigMap').find(({ data }) => data?.['DUEWATCH_OUTBOUND_ALLOW'] !== undefined);
  expect(config?.data?.['DUEWATCH_OUTBOUND_ALLOW']).toBe('none');
});
