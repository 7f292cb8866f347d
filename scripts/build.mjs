// Builds dist/ from the sources with swc, and copies what is shipped as it is.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { transformFileSync } from '@swc/core';

const roots = ['apps', 'libs', 'examples', 'bench'].filter((folder) => existsSync(folder));
const shipped = ['apps/web/public', 'examples/flights/sample'].filter((folder) => existsSync(folder));

rmSync('dist', { recursive: true, force: true });
for (const root of roots) {
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const source = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !source.endsWith('.ts') || source.endsWith('.spec.ts')) continue;
    const target = join('dist', source.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, transformFileSync(source, { configFile: '.swcrc', sourceMaps: 'inline' }).code);
  }
}
for (const folder of shipped) cpSync(folder, join('dist', folder), { recursive: true });
