// A journal in a file. What was acknowledged outlives a crash at any point, of the process and of the machine: a line counts
// once it is synced, a checkpoint once it is whole beside the journal and has then taken its place.
// It must never go on in a file of which it does not know what stands in it.
import { type FileHandle, open, realpath, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Input } from '#expectations';
import { heading, linesOfCheckpoint, linesOfInputs, readLines } from './journal-lines.ts';
import type { Checkpoint, JournalContent, TimingJournal } from './timing-journal.ts';

export interface FileJournalOptions {
  /** So much is appended before a checkpoint is made, and as much as the last checkpoint has; 1 MB unless given. */
  readonly compactFromBytes?: number;
}

export class FileJournal implements TimingJournal {
  /** Undefined until it is read, and once it is not known what stands in it. */
  private endsAt: number | undefined;
  private growsUntil: number;
  private wasRead = false;

  private constructor(
    private file: FileHandle,
    private readonly path: string,
    private readonly compactFromBytes: number,
  ) {
    this.growsUntil = compactFromBytes;
  }

  /** Rejects with Node's own error where the file cannot be opened. */
  static async open(path: string, { compactFromBytes = 1_000_000 }: FileJournalOptions = {}): Promise<FileJournal> {
    const file = await open(path, 'a+', 0o600);
    const journal = new FileJournal(file, await realpath(path), compactFromBytes);
    await journal.syncFolder();
    return journal;
  }

  get isGrown(): boolean {
    return (this.endsAt ?? 0) > this.growsUntil;
  }

  /** Rejects with a `JournalCorruptError` where more than the last line is not what was written. */
  async read(): Promise<JournalContent> {
    // From where the last read ended: another would find nothing, and keep nothing.
    if (this.wasRead) throw new Error('a journal is read once');
    this.wasRead = true;
    const { content, wholeBytes } = readLines(await this.file.readFile());
    await this.file.truncate(wholeBytes);
    if (wholeBytes === 0) await this.file.appendFile(heading);
    await this.file.datasync();
    this.endsAt = Math.max(wholeBytes, heading.length);
    return content;
  }

  async append(inputs: readonly Input[]): Promise<void> {
    const endsAt = this.knownEnd();
    const lines = linesOfInputs(inputs);
    this.endsAt = undefined;
    try {
      await this.file.appendFile(lines);
      await this.file.datasync();
      this.endsAt = endsAt + lines.length;
    } catch (error) {
      // What was written of it must not be read as said.
      await this.file.truncate(endsAt);
      this.endsAt = endsAt;
      throw error;
    }
  }

  async compact(checkpoint: Checkpoint): Promise<void> {
    // Where it fails it is not tried again at once.
    this.growsUntil = this.knownEnd() + this.compactFromBytes;
    const lines = linesOfCheckpoint(checkpoint);
    const next = `${this.path}.next`;
    const file = await open(next, 'a+', 0o600);
    try {
      // One may be left of a compaction that a crash has ended.
      await file.truncate(0);
      await file.appendFile(lines);
      await file.sync();
      await rename(next, this.path);
    } catch (error) {
      await file.close();
      throw error;
    }
    const replaced = this.file;
    this.file = file;
    this.endsAt = undefined;
    await replaced.close();
    // Until then a crash may bring the old one back, and what is appended would be in neither.
    await this.syncFolder();
    this.endsAt = lines.length;
    this.growsUntil = lines.length + Math.max(lines.length, this.compactFromBytes);
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private knownEnd(): number {
    if (this.endsAt !== undefined) return this.endsAt;
    if (!this.wasRead) throw new Error('a journal is read before anything is appended to it');
    throw new Error('what stands in the journal is not known after a fault: it is to be opened again');
  }

  private async syncFolder(): Promise<void> {
    const folder = await open(dirname(this.path), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}
