// Reads the repository as a fresh clone would have it: everything that .gitignore does not leave out.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { RepositoryFile } from './finding.ts';

const binary = /\.(gz|png|ico|woff2?)$/;

/** Every text file below `root`. Only whole names and `*.suffix` are understood of .gitignore; this repository needs no more. */
export function readRepository(root: string): RepositoryFile[] {
  const patterns = readFileSync(join(root, '.gitignore'), 'utf8')
    .split('\n')
    .map((line) => line.trim().replace(/^\/|\/$/g, ''))
    .filter((line) => line !== '' && !line.startsWith('#'));
  const names = new Set(['.git', ...patterns.filter((pattern) => !pattern.startsWith('*'))]);
  const suffixes = patterns.filter((pattern) => pattern.startsWith('*')).map((pattern) => pattern.slice(1));
  const isIgnored = (name: string): boolean => names.has(name) || suffixes.some((suffix) => name.endsWith(suffix));

  const files: RepositoryFile[] = [];
  const visit = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (isIgnored(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile() && !binary.test(entry.name)) {
        files.push({ path: relative(root, path).split(sep).join('/'), text: readFileSync(path, 'utf8') });
      }
    }
  };
  visit(root);
  return files;
}
