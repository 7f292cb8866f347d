// The agent kit as it is published: alone, beside nothing but what it asks for.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');

let folder: string;
beforeAll(async () => void (folder = await realpath(await mkdtemp(join(tmpdir(), 'duewatch-package-')))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const program = `
  import { expectations } from '@duewatch/agent-kit';
  const kinds = { manifest: { subjectType: 'shipment', describes: 'a manifest', basis: 'declared' } };
  const task = expectations({ lapseSkill: 'handle_lapse', kinds }).inTask({ taskId: 't', contextId: 'c', isActivated: true });
  console.log(task.expect('manifest', { subject: 'PA-1', due: '2026-09-10T20:15:00Z' }).dueAt);
`;

it('runs where only what its package.json names is installed, and has its types', async () => {
  const kit = join(folder, 'node_modules', '@duewatch', 'agent-kit');
  await run(process.execPath, [join(root, 'scripts', 'pack-agent-kit.mjs'), kit]);
  const { dependencies, peerDependencies, exports } = JSON.parse(await readFile(join(kit, 'package.json'), 'utf8'));
  expect(Object.keys({ ...dependencies, ...peerDependencies }).toSorted()).toEqual([
    '@a2a-js/sdk',
    'temporal-polyfill',
  ]);
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
    const installed = join(folder, 'node_modules', name);
    await mkdir(dirname(installed), { recursive: true });
    await symlink(join(root, 'node_modules', name), installed);
  }
  expect((await stat(join(kit, exports['.'].types))).isFile()).toBe(true);
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { cwd: folder });
  expect(stdout).toBe('2026-09-10T20:15:00Z\n');
});
