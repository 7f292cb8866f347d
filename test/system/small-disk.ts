// A disk of a few megabytes that can be filled, seen by this test alone: it is mounted in a namespace of its own, which
// goes with the process that holds it. Where no such thing can be made the test fails; it never passes by that.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class SmallDisk {
  private constructor(
    private readonly mountPoint: string,
    private readonly holder: ChildProcess,
  ) {}

  static async mount(megabytes: number): Promise<SmallDisk> {
    const mountPoint = await mkdtemp(join(tmpdir(), 'duewatch-small-disk-'));
    // Root may mount; anybody else is root in a namespace of users.
    const namespaces = process.getuid?.() === 0 ? ['-m'] : ['-m', '-U', '-r'];
    // It ends, and the disk with it, when this process does.
    const mount = `mount -t tmpfs -o size=${megabytes}m,mode=755 tmpfs "$1" && echo mounted && exec cat`;
    const holder = spawn('unshare', [...namespaces, 'sh', '-c', mount, 'sh', mountPoint], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = once(holder, 'exit').then(() => 'ended');
    const answer: unknown = await Promise.race([once(holder.stdout, 'data').then(String), ended]);
    if (!String(answer).startsWith('mounted')) {
      throw new Error('no disk can be mounted here: run as root, or allow namespaces of users');
    }
    return new SmallDisk(mountPoint, holder);
  }

  /** As whoever is outside of the namespace sees it. */
  get directory(): string {
    return `/proc/${String(this.holder.pid)}/root${this.mountPoint}`;
  }

  /** Leaves no room at all. */
  async fill(): Promise<void> {
    const file = await open(join(this.directory, 'ballast'), 'a');
    try {
      // A large block leaves room for smaller ones.
      for (const bytes of [1 << 20, 4_096]) await writeUntilFull(file, Buffer.alloc(bytes));
    } finally {
      await file.close();
    }
  }

  async makeRoom(): Promise<void> {
    await rm(join(this.directory, 'ballast'));
  }

  async unmount(): Promise<void> {
    const ended = once(this.holder, 'exit');
    this.holder.kill('SIGKILL');
    await ended;
    await rm(this.mountPoint, { recursive: true });
  }
}

async function writeUntilFull(file: FileHandle, block: Buffer): Promise<void> {
  try {
    for (;;) await file.write(block);
  } catch (error) {
    if ((error as { readonly code?: string }).code !== 'ENOSPC') throw error;
  }
}
