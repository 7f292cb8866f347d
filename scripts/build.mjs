// Builds dist/ from the sources with swc, and copies what is shipped as it is. What has not changed is not written, and
// what is gone is deleted last: a watcher that runs from dist/ goes on, and a tree that may only be read can be run.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformFileSync } from '@swc/core';

const roots = ['apps', 'libs', 'examples', 'bench'];
const shipped = ['apps/web/public', 'examples/flights/sample'];
/** Made from what is built here, by scripts of their own. */
const packages = join('dist', 'packages', '');
const built = new Set();

for (const source of roots.flatMap(filesIn)) {
  if (!source.endsWith('.ts') || source.endsWith('.spec.ts')) continue;
  const { code } = transformFileSync(source, { configFile: '.swcrc', sourceMaps: 'inline' });
  write(join('dist', source.replace(/\.ts$/, '.js')), Buffer.from(code));
}
for (const source of shipped.flatMap(filesIn)) write(join('dist', source), readFileSync(source));
for (const file of filesIn('dist')) if (!built.has(file) && !file.startsWith(packages)) rmSync(file);

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function write(target, content) {
  built.add(target);
  if (existsSync(target) && readFileSync(target).equals(content)) return;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, content);
}
