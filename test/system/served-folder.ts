// An example's folder on a port that is free: its card says where it is called.
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from './typed-page.ts';

export class ServedFolder {
  private constructor(
    readonly path: string,
    readonly port: number,
  ) {}

  /** Inside the repository: its handler imports the repository's libs by name. */
  static async of(example: string, port: number): Promise<ServedFolder> {
    const path = await mkdtemp(join(root, 'dist', 'served-'));
    await cp(join(root, example), path, { recursive: true });
    const card = join(path, 'agent-card.yaml');
    await writeFile(card, (await readFile(card, 'utf8')).replaceAll('127.0.0.1:1907', `127.0.0.1:${port}`));
    return new ServedFolder(path, port);
  }

  remove(): Promise<void> {
    return rm(this.path, { recursive: true });
  }
}
