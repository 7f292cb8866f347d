// Rules on the repository as a whole: what a folder needs to be found by a person, by node and by nest.
import type { Finding, RepositoryFile } from './finding.ts';

/** Every lib and app is in README's folder table and nest-cli.json, every lib in package.json's imports, and none is left that is gone. */
export function findInLayout(files: readonly RepositoryFile[]): Finding[] {
  const textOf = (path: string): string => files.find((file) => file.path === path)?.text ?? '';
  const folders = [...new Set(files.map(({ path }) => /^(?:libs|apps)\/[^/]+(?=\/)/.exec(path)?.[0]))].filter(
    (folder) => folder !== undefined,
  );
  const listed = [...textOf('README.md').matchAll(/^\|\s*`((?:libs|apps)\/[^`/]+)\/?`/gm)].map(
    (match) => match[1] ?? '',
  );
  const imports = Object.keys(parse(textOf('package.json'))['imports'] ?? {})
    .filter((name) => !name.includes('/'))
    .map((name) => `libs/${name.slice(1)}`);
  const projects = Object.values(parse(textOf('nest-cli.json'))['projects'] ?? {}).map(
    (project) => (project as { root?: string }).root ?? '',
  );
  const libs = folders.filter((folder) => folder.startsWith('libs/'));

  return [
    ...missing(folders, listed, 'README.md', 'is not in the folder table: add a row that says what it is for'),
    ...missing(listed, folders, 'README.md', 'is in the folder table but is gone: remove its row'),
    ...missing(folders, projects, 'nest-cli.json', 'is not in "projects": add it'),
    ...missing(projects, folders, 'nest-cli.json', 'is in "projects" but is gone: remove it'),
    ...missing(libs, imports, 'package.json', 'is not in "imports": add #name with its source and default'),
    ...missing(imports, libs, 'package.json', 'is in "imports" but is gone: remove it'),
  ];
}

function missing(wanted: readonly string[], present: readonly string[], path: string, message: string): Finding[] {
  return wanted.filter((name) => !present.includes(name)).map((name) => ({ path, message: `${name} ${message}` }));
}

function parse(text: string): Record<string, object | undefined> {
  return text === '' ? {} : (JSON.parse(text) as Record<string, object | undefined>);
}
