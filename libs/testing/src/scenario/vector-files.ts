// Reads the specification's vector files from the project's copy of them. For tests.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Vector } from './vector.ts';

/** The folder of the project's copy. */
export const vectorFolder = join(import.meta.dirname, '../../../../test/vectors');

/** The names of a folder's vector files, in order. */
export function vectorFiles(folder: string = vectorFolder): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .toSorted();
}

/** All vectors of a folder, in the order of their file names. */
export function readVectors(folder: string = vectorFolder): Vector[] {
  return vectorFiles(folder).map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Vector);
}
