// Cuts a stream of server-sent events into pieces that can pass or wait: whole events, and comments by themselves.
// The pieces together are the stream, byte for byte. It must never keep more than one event.
import { GatheredBytes } from '#protocol';

export interface EventPiece {
  readonly bytes: Uint8Array;
  /** The event's data; absent where the piece says nothing to a reader. */
  readonly data?: Buffer;
}

/** An event is larger than may be kept. */
export class EventTooLargeError extends Error {
  override readonly name = 'EventTooLargeError';
  readonly retryable = false;
}

const lf = 0x0a;
const cr = 0x0d;
const colon = 0x3a;

export class EventPieces {
  private readonly pending: GatheredBytes;
  /** Nothing of the current line has come. */
  private atLineStart = true;
  private isComments = true;
  /** The last byte was a CR that ended a line: an LF after it belongs to it. */
  private afterCr = false;
  /** The last piece ended with that CR. */
  private isCutAfterCr = false;

  constructor(private readonly eventBytes: number) {
    this.pending = new GatheredBytes(eventBytes);
  }

  /** How many bytes are kept of an event that is not whole. */
  get length(): number {
    return this.pending.length;
  }

  /** The pieces that are whole now, in order. Throws `EventTooLargeError` behind those that are not too large. */
  *push(chunk: Uint8Array): Generator<EventPiece> {
    let start = 0;
    if (this.isCutAfterCr && chunk[0] === lf) {
      // The LF of a line that has passed already: whoever waits for it must not wait for the next event.
      yield { bytes: chunk.subarray(0, 1) };
      this.afterCr = false;
      start = 1;
    }
    if (chunk.length > 0) this.isCutAfterCr = false;
    for (let at = start; at < chunk.length; at += 1) {
      if (!this.isCutAt(chunk, at)) continue;
      const isPair = chunk[at] === cr && chunk[at + 1] === lf;
      if (isPair) at += 1;
      this.afterCr = chunk[at] === cr;
      this.isCutAfterCr = this.afterCr && at === chunk.length - 1;
      yield this.piece(chunk.subarray(start, at + 1));
      start = at + 1;
    }
    if (start < chunk.length) this.keep(chunk.subarray(start));
  }

  /** What is left at the stream's end. */
  end(): EventPiece | undefined {
    return this.pending.length === 0 ? undefined : this.piece(new Uint8Array());
  }

  /** Whether a piece ends with the byte (and an LF after it): at an empty line, or at a comment's end. */
  private isCutAt(chunk: Uint8Array, at: number): boolean {
    const byte = chunk[at];
    if (byte === lf && this.afterCr) {
      this.afterCr = false;
      return false;
    }
    this.afterCr = byte === cr;
    if (byte !== lf && byte !== cr) {
      if (this.atLineStart && byte !== colon) this.isComments = false;
      this.atLineStart = false;
      return false;
    }
    const isCut = this.atLineStart || this.isComments;
    this.atLineStart = true;
    return isCut;
  }

  /** The connection may use its memory again: it is copied. */
  private keep(bytes: Uint8Array): void {
    if (this.pending.add(bytes)) return;
    throw new EventTooLargeError(`an event of the stream is larger than ${this.eventBytes} bytes`);
  }

  private piece(last: Uint8Array): EventPiece {
    this.keep(last);
    const bytes = this.pending.take();
    const hasData = !this.isComments;
    this.isComments = true;
    this.atLineStart = true;
    const data = hasData ? dataOf(bytes) : undefined;
    return { bytes, ...(data !== undefined && { data }) };
  }
}

function dataOf(bytes: Buffer): Buffer | undefined {
  const lines: string[] = [];
  // Latin-1 keeps every byte as it is.
  for (const line of bytes.toString('latin1').split(/\r\n|\r|\n/)) {
    if (line === 'data') lines.push('');
    else if (line.startsWith('data:')) lines.push(line.slice(line.startsWith('data: ') ? 6 : 5));
  }
  return lines.length === 0 ? undefined : Buffer.from(lines.join('\n'), 'latin1');
}
