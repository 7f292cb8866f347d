// Builds a lib's sources with planted faults, each into a folder of its own, and loads what it decides with.
// It must never touch the sources themselves, and leaves nothing behind.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';
import type { Decide } from '../differential.ts';
import type { Mutant } from './mutant.ts';

const repository = join(import.meta.dirname, '../../../..');

/** What is to be mutated: a folder of sources (relative to the repository), the file to load and the export to call. */
export interface Subject {
  readonly sources: string;
  readonly entry: string;
  readonly decide: string;
}

export interface Workshop {
  /** Builds and loads the sources with one fault. Throws where the text to replace does not stand there exactly once. */
  readonly plant: (mutant: Mutant) => Promise<Decide>;
  readonly close: () => void;
}

/** Opens a workshop below node_modules, so that packages resolve as they do for the sources. */
export function openWorkshop({ sources, entry, decide }: Subject): Workshop {
  const folder = join(repository, sources);
  const texts = new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
  const sound = new Map([...texts].map(([name, text]) => [name, compile(text)]));
  const cache = join(repository, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const shop = mkdtempSync(join(cache, 'mutants-'));
  let plantedCount = 0;

  return {
    plant: async (mutant) => {
      plantedCount += 1;
      const own = join(shop, String(plantedCount));
      const built = new Map(sound).set(mutant.file, compile(mutated(texts.get(mutant.file), mutant)));
      for (const [name, code] of built) {
        const target = join(own, name.replace(/\.ts$/, '.js'));
        mkdirSync(dirname(target), { recursive: true });
        writeFileSync(target, code);
      }
      writeFileSync(join(own, 'package.json'), '{"type": "module"}');
      const loaded = (await import(pathToFileURL(join(own, entry.replace(/\.ts$/, '.js'))).href)) as object;
      return (loaded as Record<string, Decide>)[decide]!;
    },
    close: () => rmSync(shop, { recursive: true, force: true }),
  };
}

function mutated(text: string | undefined, { name, file, find, replace }: Mutant): string {
  const pieces = text?.split(find) ?? [];
  if (pieces.length !== 2) {
    throw new Error(
      `mutant "${name}": ${file} has the text to replace ${Math.max(0, pieces.length - 1)} times, not once`,
    );
  }
  return pieces.join(replace);
}

function compile(text: string): string {
  return transformSync(text, { configFile: join(repository, '.swcrc'), filename: 'mutant.ts', sourceMaps: false }).code;
}
