// One pass over a text before it is parsed: how deep, how many values and members, and where it can be cut.
// It must never build anything as large as the text.
import { maxDepth, maxMemberCount, maxValueCount, sliceBytes } from './limits.ts';

export interface ScanRefusal {
  readonly reason: string;
  /** The index that it is known at. */
  readonly at: number;
  /** Too much, rather than wrong. */
  readonly isTooLarge: boolean;
}

export class JsonScan {
  /** The colons outside of texts: in valid JSON, as many as there are members written. */
  colonCount = 0;
  refusal: ScanRefusal | undefined;
  /** Indices of commas between elements of the outermost list, far apart. */
  readonly cuts: number[] = [];
  private at = 0;
  private depth = 0;
  private valueCount = 1;
  private cutAt = 0;
  private readonly isList: boolean;
  /** Of the objects that are open, by depth. */
  private readonly memberCounts: number[] = [];

  constructor(private readonly text: string) {
    this.isList = /^[ \t\r\n]{0,100}\[/.test(text.slice(0, 101));
  }

  /** Goes on for about so many characters; false once there is nothing more to see. */
  goOn(length: number): boolean {
    const until = Math.min(this.text.length, this.at + length);
    while (this.at < until && this.refusal === undefined) {
      const code = this.text.charCodeAt(this.at);
      if (code === 0x22) this.at = endOfString(this.text, this.at);
      else this.see(code);
      this.at += 1;
    }
    return this.at < this.text.length && this.refusal === undefined;
  }

  private see(code: number): void {
    if (code === 0x3a) this.seeMember();
    else if (code === 0x2c) this.seeComma();
    else if (code === 0x5b || code === 0x7b) {
      this.depth += 1;
      this.memberCounts[this.depth] = 0;
      if (this.depth > maxDepth) this.refuse(`arrays and objects are nested deeper than ${maxDepth}`, false);
      this.seeValue();
    } else if (code === 0x5d || code === 0x7d) this.depth -= 1;
  }

  private seeMember(): void {
    this.colonCount += 1;
    const count = (this.memberCounts[this.depth] ?? 0) + 1;
    this.memberCounts[this.depth] = count;
    if (count > maxMemberCount) this.refuse(`an object has more than ${maxMemberCount} members`, true);
  }

  private seeComma(): void {
    this.seeValue();
    if (!this.isList || this.depth !== 1 || this.at - this.cutAt < sliceBytes) return;
    this.cuts.push(this.at);
    this.cutAt = this.at;
  }

  private seeValue(): void {
    this.valueCount += 1;
    if (this.valueCount > maxValueCount) this.refuse(`there are more than ${maxValueCount} values in it`, true);
  }

  private refuse(reason: string, isTooLarge: boolean): void {
    this.refusal ??= { reason, at: this.at, isTooLarge };
  }
}

/** The index of the quote that closes the text opened at `start`, or the length of the whole. */
export function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    at += code === 0x5c ? 2 : 1;
  }
  return at;
}
