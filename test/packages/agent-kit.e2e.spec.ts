// The agent kit as it is published: packed, and unpacked into an empty project beside nothing but what it asks for. The project
// is compiled against its types, the strict way, and run by plain Node.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

let folder: string;
let kit: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'duewatch-package-')));
  const packed = join(folder, 'packed');
  await run(process.execPath, [join(root, 'scripts', 'pack-agent-kit.mjs'), packed]);
  const { stdout } = await run('npm', ['pack', packed, '--pack-destination', folder, '--offline', '--silent']);
  kit = join(folder, 'node_modules', '@duewatch', 'agent-kit');
  await mkdir(kit, { recursive: true });
  await run('tar', ['-xzf', join(folder, stdout.trim()), '-C', kit, '--strip-components', '1']);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** As an installation would put it there, and faster. */
async function install(name: string): Promise<void> {
  const installed = join(folder, 'node_modules', name);
  await mkdir(dirname(installed), { recursive: true });
  await symlink(join(root, 'node_modules', name), installed);
}

/** Throws with what the compiler says. */
async function compile(): Promise<void> {
  const compilerOptions = {
    ...{ target: 'es2022', module: 'nodenext', lib: ['es2023'], types: ['node'], outDir: 'out' },
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'project', type: 'module', private: true }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['uses-all.ts'] }));
  await copyFile(join(import.meta.dirname, 'uses-all.txt'), join(folder, 'uses-all.ts'));
  await run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder]).catch(
    (failed: unknown) => {
      throw new Error((failed as { readonly stdout: string }).stdout);
    },
  );
}

it('is used as its types say, each way in, where only what its package.json names is installed', async () => {
  const { dependencies, peerDependencies } = JSON.parse(await readFile(join(kit, 'package.json'), 'utf8')) as {
    readonly dependencies: object;
    readonly peerDependencies: object;
  };
  const names = Object.keys({ ...dependencies, ...peerDependencies }).toSorted();
  expect(names).toEqual(['@a2a-js/sdk', 'temporal-polyfill']);
  for (const name of [...names, '@types/node']) await install(name);
  await compile();
  const { stdout } = await run(process.execPath, ['out/uses-all.js'], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({
    due: '2026-09-10T20:15:00Z',
    supersedes: expect.stringMatching(/^exp-/),
    isCarried: true,
    declared: true,
    served: [1, 1],
    routed: { passed: true },
    asked: ['https://rsaxb.com/a2a/expectations/v1'],
    isError: true,
    all: 5,
  });
});
