// A page of the documentation as a newcomer follows it: what stands there to be typed is what runs, in a shell.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The repository, where a newcomer stands. */
export const root = join(import.meta.dirname, '..', '..');

/** A command that waits for what never comes is ended. */
const mostMs = 300_000;

export class TypedPage {
  private constructor(
    private readonly text: string,
    private readonly programs: string,
  ) {}

  /** `path` is the page's, from the repository's root. */
  static async open(path: string): Promise<TypedPage> {
    const text = await readFile(join(root, path), 'utf8');
    return new TypedPage(text, await mkdtemp(join(tmpdir(), 'duewatch-typed-')));
  }

  /** What stands in blocks of the language under a heading, or on the whole page, block by block. */
  blocks(language: string, heading?: string): readonly string[] {
    const isIt = (part: string): boolean => heading === undefined || part.startsWith(`${heading}\n`);
    const parts = heading === undefined ? [this.text] : this.text.split(/^## /m).filter(isIt);
    const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
    return parts.flatMap((part) => [...part.matchAll(block)].map((match) => match[1] ?? ''));
  }

  /** Runs it in the shell; resolves to what it prints. There is a curl after all others on the path. */
  async type(script: string): Promise<string> {
    const curl = join(this.programs, 'curl');
    await writeFile(curl, `#!/bin/sh\nexec "${process.execPath}" "${join(import.meta.dirname, 'curl.mjs')}" "$@"\n`);
    await chmod(curl, 0o755);
    const env = { ...process.env, PATH: [process.env['PATH'], this.programs].join(delimiter) };
    return (await run('sh', ['-e', '-c', script], { cwd: root, env, timeout: mostMs })).stdout;
  }

  async close(): Promise<void> {
    await rm(this.programs, { recursive: true, force: true });
  }
}
