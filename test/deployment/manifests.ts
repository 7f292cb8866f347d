// The manifests that deploy/k8s/kustomization.yaml names, and what their pods are told.
import { posix } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { textOf } from './repository-file.ts';
import type { Environment, Workload } from './workload.ts';

export type Labels = Readonly<Record<string, string>>;

/* eslint-disable @typescript-eslint/no-explicit-any -- they are as various as their kinds; tests look at parts of them */
export interface Manifest {
  readonly file: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Labels };
  readonly spec: any;
  readonly data?: Environment;
  readonly stringData?: Environment;
}

/** A Deployment or Job with the one container of its pods. */
export interface PodWorkload extends Workload {
  readonly manifest: Manifest;
  readonly pod: any;
  readonly container: any;
}
/* eslint-enable */

interface Kustomization {
  readonly resources: readonly string[];
  readonly configMapGenerator?: readonly { readonly name: string; readonly files: readonly string[] }[];
  readonly images?: readonly { readonly name: string; readonly newName: string; readonly newTag: string }[];
}

export function readKustomization(folder = 'deploy/k8s'): Kustomization {
  return parse(textOf(`${folder}/kustomization.yaml`)) as Kustomization;
}

/** All that it names, folders included. A generated ConfigMap is one of those. */
export function readManifests(folder = 'deploy/k8s'): readonly Manifest[] {
  const { resources, configMapGenerator = [] } = readKustomization(folder);
  const listed = resources.flatMap((resource) => {
    const path = posix.join(folder, resource);
    if (!path.endsWith('.yaml')) return readManifests(path);
    return parseAllDocuments(textOf(path)).map((document) => ({ ...(document.toJS() as Manifest), file: path }));
  });
  const generated = configMapGenerator.map(({ name, files }) => ({
    file: `${folder}/kustomization.yaml`,
    kind: 'ConfigMap',
    metadata: { name },
    spec: undefined,
    data: Object.fromEntries(files.map((file) => [file, textOf(`${folder}/${file}`)])),
  }));
  return [...listed, ...generated];
}

/** Its Deployments and Jobs. Throws where what one is told is nowhere. */
export function workloadsIn(manifests: readonly Manifest[]): readonly PodWorkload[] {
  return manifests
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map((manifest) => {
      const pod = manifest.spec.template.spec;
      const [container] = pod.containers;
      return {
        name: manifest.metadata.name,
        image: container.image as string,
        command: (container.args ?? []) as readonly string[],
        environment: environmentOf(container, manifests),
        manifest,
        pod,
        container,
      };
    });
}

interface Told {
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly env?: readonly {
    readonly name: string;
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: { readonly name: string; readonly key: string } };
  }[];
}

function environmentOf({ envFrom = [], env = [] }: Told, manifests: readonly Manifest[]): Environment {
  const find = (kind: string, name: string): Manifest => {
    const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
    if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
    return found;
  };
  const single = env.map(({ name, value, valueFrom }) => {
    if (valueFrom === undefined) return [name, value ?? ''];
    const { name: secret, key } = valueFrom.secretKeyRef;
    const found = find('Secret', secret).stringData?.[key];
    if (found === undefined) throw new Error(`the secret ${secret} has no ${key}`);
    return [name, found];
  });
  const all = envFrom.map(({ configMapRef }) => find('ConfigMap', configMapRef.name).data ?? {});
  return Object.assign({}, ...all, Object.fromEntries(single)) as Environment;
}
