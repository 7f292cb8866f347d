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
  private endsAt = 0;

  private constructor(private readonly file: FileHandle) {}

  /** Rejects with Node's own error where the file cannot be opened. */
  static async open(path: string): Promise<FileJournal> {
    return new FileJournal(await open(path, 'a+', 0o600));
  }

  async read(): Promise<readonly Input[]> {
    const content = await this.file.readFile();
    this.endsAt = content.lastIndexOf('\n') + 1;
    await this.file.truncate(this.endsAt);
    const lines = content.subarray(0, this.endsAt).toString().split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Input);
  }

  async append(inputs: readonly Input[]): Promise<void> {
    const lines = Buffer.from(inputs.map((input) => `${JSON.stringify(input)}\n`).join(''));
    try {
      await this.file.appendFile(lines);
      await this.file.datasync();
      this.endsAt += lines.length;
    } catch (error) {
      // What was written of it must not be read as said.
      await this.file.truncate(this.endsAt);
      throw error;
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }
}
