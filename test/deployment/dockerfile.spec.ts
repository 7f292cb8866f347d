// The image, as far as it can be known without making it.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { loadConfig, unknownSettings } from '#runtime';
import { imageEnvironment, readDockerfile, textsOf } from './dockerfile.ts';
import { isThere, root, textOf } from './repository-file.ts';

interface PackageFile {
  readonly engines: { readonly node: string };
  readonly bin: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

const manifest = JSON.parse(textOf('package.json')) as PackageFile;
const stages = readDockerfile();
const [build, image] = stages as [(typeof stages)[0], (typeof stages)[0]];
/** What stands copied from the repository: [path, …] of each stage. */
const copied = (stage: typeof build): readonly string[] =>
  stage.instructions
    .filter(({ name, flags }) => name === 'COPY' && flags['from'] === undefined)
    .flatMap(({ text }) => text.split(' ').slice(0, -1));

/** Whether .dockerignore lets a path through: the last line that is about it counts. */
function isInContext(path: string): boolean {
  const lines = textOf('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const isAbout = (pattern: string): boolean => pattern === '*' || `${path}/`.startsWith(`${pattern}/`);
  const last = lines.findLast((line) => isAbout(line.replace(/^!/, '')));
  return last?.startsWith('!') === true;
}

it('is made in two stages, on one Node, named to its last digit, that the package asks for', () => {
  expect(stages).toHaveLength(2);
  expect(image.from).toBe(build.from);
  const [, major, minor] = /^node:(\d+)\.(\d+)\.\d+-\w+-slim$/.exec(image.from) ?? [];
  const [, least, leastMinor] = /^>=(\d+)\.(\d+)$/.exec(manifest.engines.node) ?? [];
  expect(Number(major) * 1_000 + Number(minor)).toBeGreaterThanOrEqual(Number(least) * 1_000 + Number(leastMinor));
  // Odd ones are not supported for long.
  expect(Number(major) % 2).toBe(0);
});

it('is made of files that are there, and that .dockerignore lets through', () => {
  const paths = [...copied(build), ...copied(image)];
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
  expect(paths.filter((path) => !isInContext(path))).toEqual([]);
});

it('is made of what the build and the product read, and of no tests, data or secrets', () => {
  const roots = ['apps', 'libs', 'examples'];
  expect(copied(build)).toEqual(
    expect.arrayContaining([...roots, 'package.json', 'package-lock.json', '.npmrc', '.swcrc', 'scripts/build.mjs']),
  );
  const kept = ['test', '.duewatch', '.git', '.env', 'node_modules', 'dist', 'libs/testing', 'docs', '.npmrc.local'];
  expect(kept.filter(isInContext)).toEqual([]);
});

it('installs what the lock names, builds, and keeps what production needs', () => {
  const run = textsOf(build, 'RUN').join(' && ');
  expect(run).toMatch(/^npm ci --ignore-scripts && npm rebuild && npm run build && npm prune --omit=dev/);
});

it('holds what the package ships, and its command by its name', () => {
  const fromBuild = image.instructions.filter(({ name, flags }) => name === 'COPY' && flags['from'] === build.name);
  expect(fromBuild.map(({ text }) => text)).toEqual(
    ['package.json', 'node_modules', ...manifest.files].map((path) =>
      expect.stringMatching(`^${textsOf(build, 'WORKDIR')[0]!}/${path} (${path}|\\./)$`),
    ),
  );
  const [[name, file]] = Object.entries(manifest.bin) as [[string, string]];
  expect(textsOf(image, 'RUN')).toContainEqual(
    expect.stringContaining(`ln -s ${textsOf(image, 'WORKDIR')[0]!}/${file} /usr/local/bin/${name} &&`),
  );
  // Without a shell, which would keep signals from it.
  expect(JSON.parse(textsOf(image, 'ENTRYPOINT')[0] ?? '')).toEqual([name]);
  expect(isThere(join('dist', file.replace(/^dist\//, '')))).toBe(true);
  expect(textOf(file)).toMatch(/^#!\/usr\/bin\/env node\n/);
});

it('is not run by root, and listens on all addresses on the port that it names', () => {
  expect(textsOf(image, 'USER')).toEqual([expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/)]);
  const environment = imageEnvironment();
  expect(unknownSettings(environment)).toEqual([]);
  const { bind, port } = loadConfig(environment);
  expect(bind).toBe('0.0.0.0');
  expect(textsOf(image, 'EXPOSE')).toEqual([String(port)]);
});

it('is asked whether it is alive, where it listens, by a file that it holds', () => {
  const [, program, file, url] = JSON.parse(
    /CMD (.*)$/.exec(textsOf(image, 'HEALTHCHECK')[0] ?? '')![1]!.replace('[', '["",'),
  ) as string[];
  expect([program, url]).toEqual(['node', `http://127.0.0.1:${loadConfig(imageEnvironment()).port}/health/live`]);
  expect(copied(image)).toContain(file);
});

it.each([
  [200, 0],
  [503, 1],
  [undefined, 1],
])('is well where the answer is %s: ends with %s', async (status, code) => {
  const server = createServer((request, response) => {
    if (status === undefined) request.socket.destroy();
    else response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/health/live`;
  const child = execFile(process.execPath, [join(root, 'deploy/docker/health.mjs'), url]);
  expect(await once(child, 'exit')).toEqual([code, null]);
  server.close();
});
