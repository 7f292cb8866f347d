// Files of the repository by their path in it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../..');

export function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export function isThere(path: string): boolean {
  return existsSync(join(root, path));
}
