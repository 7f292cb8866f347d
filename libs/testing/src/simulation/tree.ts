// A tree of the built product with some texts of its sources replaced, and a program of test/ beside it that runs it, as
// node can run them. It must never touch the sources or dist/ themselves, and leaves nothing behind.
import {
  existsSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';
import type { Mutant } from '../mutants/mutant.ts';

/** Found from here upwards, whether this runs from its source or from dist/. */
export const repository = rootAbove(import.meta.dirname);

export interface Tree {
  /** The program's entry. */
  readonly main: string;
  remove(): void;
}

/**
 * Builds the tree from dist/, which must be up to date, with each text replaced; `file` of a mutant, and the `program`'s
 * folder, which has a `main.ts`, are relative to the repository. Throws where a text to replace does not stand in its file exactly once.
 */
export function plantTree(replacements: readonly Mutant[], program = 'test/simulation'): Tree {
  const cache = join(repository, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const root = mkdtempSync(join(cache, 'planted-'));
  for (const file of ['apps', 'libs'].flatMap((folder) => filesIn(join('dist', folder)))) {
    const target = join(root, file.slice('dist/'.length));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(join(repository, file), target);
  }
  for (const file of filesIn(program)) {
    if (file.endsWith('.ts') && !file.endsWith('.spec.ts')) compile(root, file, textOf(file));
  }
  for (const [file, text] of replaced(replacements)) compile(root, file, text);
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', imports: importsOfTree() }));
  return {
    main: join(root, program, 'main.js'),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function replaced(replacements: readonly Mutant[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { name, file, find, replace } of replacements) {
    const pieces = (texts.get(file) ?? textOf(file)).split(find);
    if (pieces.length !== 2) {
      throw new Error(`"${name}": ${file} has the text to replace ${pieces.length - 1} times, not once`);
    }
    texts.set(file, pieces.join(replace));
  }
  return texts;
}

function compile(root: string, file: string, text: string): void {
  const target = join(root, file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(target), { recursive: true });
  const options = { configFile: join(repository, '.swcrc'), filename: file, sourceMaps: 'inline' as const };
  writeFileSync(target, transformSync(text, options).code);
}

/** `#name` as the repository has it, in the tree. */
function importsOfTree(): Record<string, string> {
  const { imports } = JSON.parse(textOf('package.json')) as { imports: Record<string, { default: string }> };
  return Object.fromEntries(
    Object.entries(imports).map(([name, { default: built }]) => [name, built.replace('./dist/', './')]),
  );
}

function filesIn(folder: string): string[] {
  return readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(repository.length + 1));
}

function textOf(file: string): string {
  return readFileSync(join(repository, file), 'utf8');
}

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder));
}
