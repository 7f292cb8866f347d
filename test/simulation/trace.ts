// What a run did, line by line: its end for a person, its hash to tell whether two runs were the same.
import { createHash } from 'node:crypto';

const KEPT_LINES = 60;

export class Trace {
  private readonly hash = createHash('sha256');
  private lines: string[] = [];
  /** Told of each line, where somebody wants all of them. */
  private readonly onLine: ((line: string) => void) | undefined;

  constructor(onLine?: (line: string) => void) {
    this.onLine = onLine;
  }

  add(line: string): void {
    this.hash.update(line).update('\n');
    this.lines.push(line);
    if (this.lines.length > 2 * KEPT_LINES) this.lines = this.lines.slice(-KEPT_LINES);
    this.onLine?.(line);
  }

  /** The last lines, oldest first. */
  get end(): readonly string[] {
    return this.lines.slice(-KEPT_LINES);
  }

  /** Of everything so far; 16 hexadecimal digits. */
  digest(): string {
    return this.hash.copy().digest('hex').slice(0, 16);
  }
}
