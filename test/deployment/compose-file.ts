// docker-compose.yml as Compose reads it, with nothing in its environment: merged, interpolated, numbers as texts.
import { parse } from 'yaml';
import { textOf } from './repository-file.ts';
import type { Environment, Workload } from './workload.ts';

export interface ComposeService extends Workload {
  readonly isBuilt: boolean;
  readonly replicaCount: number;
  /** The condition for each service that it waits for. */
  readonly dependsOn: Environment;
  /** The program and what it is told; undefined where there is none. */
  readonly healthCheck: readonly string[] | undefined;
  readonly ports: readonly string[];
  readonly volumes: readonly string[];
  readonly stopGraceMs: number;
  /** As it stands in the file. */
  readonly raw: Readonly<Record<string, unknown>>;
}

export interface Compose {
  readonly services: readonly ComposeService[];
  readonly volumes: readonly string[];
}

export function readCompose(): Compose {
  const file = parse(interpolated(textOf('docker-compose.yml')), { merge: true }) as RawCompose;
  return {
    services: Object.entries(file.services).map(([name, service]) => toService(name, service)),
    volumes: Object.keys(file.volumes),
  };
}

interface RawService {
  readonly image: string;
  readonly build?: unknown;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly deploy?: { readonly replicas?: number };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test?: readonly string[] };
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly stop_grace_period?: string;
}

interface RawCompose {
  readonly services: Readonly<Record<string, RawService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

/** `${NAME:-default}` as where NAME is not set. */
function interpolated(text: string): string {
  return text.replace(/\$\{\w+:-([^}]*)\}/g, '$1');
}

function toService(name: string, service: RawService): ComposeService {
  const { image, build, command = [], environment = {}, deploy, healthcheck, ports = [], volumes = [] } = service;
  const [kind, ...test] = healthcheck?.test ?? [];
  if (kind !== undefined && kind !== 'CMD') throw new Error(`${name}: a health check without a shell begins with CMD`);
  return {
    name,
    image,
    command,
    environment: Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, String(value)])),
    isBuilt: build !== undefined,
    replicaCount: deploy?.replicas ?? 1,
    dependsOn: Object.fromEntries(
      Object.entries(service.depends_on ?? {}).map(([other, { condition }]) => [other, condition]),
    ),
    healthCheck: kind === undefined ? undefined : test,
    ports,
    volumes,
    stopGraceMs: Number(/^(\d+)s$/.exec(service.stop_grace_period ?? '10s')?.[1]) * 1_000,
    raw: { ...service },
  };
}
