// What an agent that keeps its own time has been told, in order: all that it decides is made from it again (§12.2).
import { type FileHandle, open } from 'node:fs/promises';
import type { Input } from '#expectations';

/** One writer at a time. */
export interface TimingJournal {
  /** All that was appended, in order; asked once, before anything is appended. */
  read(): Promise<readonly Input[]>;
  /** Resolves once it is kept: all of it, or, where it rejects, none. */
  append(inputs: readonly Input[]): Promise<void>;
}

/** For tests, and for agents that forget what they expect when they end. */
export class MemoryJournal implements TimingJournal {
  readonly inputs: Input[] = [];

  read = async (): Promise<readonly Input[]> => [...this.inputs];

  append = async (inputs: readonly Input[]): Promise<void> => void this.inputs.push(...inputs);
}

/** A file of JSON lines, kept for good. A line that a crash has cut is as if it had not been. */
export class FileJournal implements TimingJournal {
  /** Undefined until it is read: what stands in it is not known. */
  private endsAt: number | undefined;

  private constructor(private readonly file: FileHandle) {}

  /** Rejects with Node's own error where the file cannot be opened. */
  static async open(path: string): Promise<FileJournal> {
    return new FileJournal(await open(path, 'a+', 0o600));
  }

  async read(): Promise<readonly Input[]> {
    // From where the last read ended: another would find nothing, and keep nothing.
    if (this.endsAt !== undefined) throw new Error('a journal is read once');
    const content = await this.file.readFile();
    const endsAt = content.lastIndexOf('\n') + 1;
    await this.file.truncate(endsAt);
    this.endsAt = endsAt;
    const lines = content.subarray(0, endsAt).toString().split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Input);
  }

  async append(inputs: readonly Input[]): Promise<void> {
    const { endsAt } = this;
    if (endsAt === undefined) throw new Error('a journal is read before anything is appended to it');
    const lines = Buffer.from(inputs.map((input) => `${JSON.stringify(input)}\n`).join(''));
    try {
      await this.file.appendFile(lines);
      await this.file.datasync();
      this.endsAt = endsAt + lines.length;
    } catch (error) {
      // What was written of it must not be read as said.
      await this.file.truncate(endsAt);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
