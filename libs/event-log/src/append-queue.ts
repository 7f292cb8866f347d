// Group commit: while one transaction of a partition's inbox is committing, the appends that come are gathered, and
// go together in the next. It must never join what one caller gave to another's fate before the transaction.
import type { Appended, NewRecord } from './port.ts';

const maxGroupRecords = 2_000;
const maxGroupBytes = 8 * 1024 * 1024;

/** Where a run of records begins. */
export interface Place {
  readonly first: number;
  /** Epoch milliseconds. */
  readonly appendedAt: number;
}

interface Waiting {
  readonly records: readonly NewRecord[];
  readonly bytes: number;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

/** The appends of this process to one partition's inbox. */
export class AppendQueue {
  readonly #partition: number;
  readonly #commit: (records: readonly NewRecord[]) => Promise<Place>;
  #waiting: Waiting[] = [];
  #isCommitting = false;

  /** `commit` writes all records in one transaction, or none and throws. */
  constructor(partition: number, commit: (records: readonly NewRecord[]) => Promise<Place>) {
    this.#partition = partition;
    this.#commit = commit;
  }

  append(records: readonly NewRecord[]): Promise<Appended> {
    return new Promise((resolve, reject) => {
      const bytes = records.reduce((sum, { value }) => sum + value.byteLength, 0);
      this.#waiting.push({ records, bytes, resolve, reject });
      if (!this.#isCommitting) void this.#commitGroups();
    });
  }

  /** Never rejects: a failure is told to those whose records it was. */
  async #commitGroups(): Promise<void> {
    this.#isCommitting = true;
    // What the same turn of the event loop appends goes together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#commitGroup(this.#takeGroup());
    this.#isCommitting = false;
  }

  async #commitGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const { first, appendedAt } = await this.#commit(group.flatMap(({ records }) => records));
      let next = first;
      for (const { records, resolve } of group) {
        resolve({ partition: this.#partition, offsets: records.map(() => next++), appendedAt });
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  /** As many as the bounds allow, in order, and always one: what one caller gave is never divided. */
  #takeGroup(): Waiting[] {
    let records = 0;
    let bytes = 0;
    const past = this.#waiting.findIndex((one) => {
      records += one.records.length;
      bytes += one.bytes;
      return records > maxGroupRecords || bytes > maxGroupBytes;
    });
    return this.#waiting.splice(0, past === -1 ? this.#waiting.length : Math.max(past, 1));
  }
}
