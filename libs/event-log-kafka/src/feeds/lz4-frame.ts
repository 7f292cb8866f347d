// LZ4 frames, as Kafka's clients compress batches. It must never make more of a frame than it may, nor read past it.

const MAGIC = 0x184d2204;
const FRAME_VERSION_MASK = 0xc0;
const FRAME_VERSION = 0x40;
const HAS_BLOCK_CHECKSUM = 0x10;
const HAS_CONTENT_SIZE = 0x08;
const HAS_DICTIONARY = 0x01;
const IS_STORED = 0x80000000;
const LEAST_MATCH = 4;

/** The frame's content. Throws where it is none, or has more than `maxBytes`. */
export function decompressLz4Frame(frame: Buffer, maxBytes: number): Buffer {
  const flags = frame[4] ?? 0;
  if (frame.length < 7 || frame.readUInt32LE(0) !== MAGIC || (flags & FRAME_VERSION_MASK) !== FRAME_VERSION) {
    throw new Error('it is no LZ4 frame');
  }
  if ((flags & HAS_DICTIONARY) !== 0) throw new Error('its LZ4 frame needs a dictionary');
  const content = new Content(maxBytes);
  const checksumBytes = (flags & HAS_BLOCK_CHECKSUM) === 0 ? 0 : 4;
  let at = 7 + ((flags & HAS_CONTENT_SIZE) === 0 ? 0 : 8);
  for (;;) {
    if (at + 4 > frame.length) throw cutOff();
    const size = frame.readUInt32LE(at);
    at += 4;
    if (size === 0) return content.bytes;
    const end = at + (size & ~IS_STORED);
    if (end > frame.length) throw cutOff();
    const block = frame.subarray(at, end);
    if ((size & IS_STORED) !== 0) content.add(block);
    else decompressBlock(block, content);
    at = end + checksumBytes;
  }
}

function decompressBlock(block: Buffer, content: Content): void {
  let at = 0;
  /** A length of 15 goes on in the bytes that follow, up to one that is not 255. */
  const lengthOf = (nibble: number): number => {
    let length = nibble;
    for (let byte = nibble === 15 ? 255 : 0; byte === 255; length += byte) byte = byteAt(block, at++);
    return length;
  };
  while (at < block.length) {
    const token = byteAt(block, at++);
    const literals = lengthOf(token >>> 4);
    if (at + literals > block.length) throw cutOff();
    content.add(block.subarray(at, at + literals));
    at += literals;
    // The last sequence has literals alone.
    if (at === block.length) return;
    const distance = byteAt(block, at) | (byteAt(block, at + 1) << 8);
    at += 2;
    content.repeat(distance, lengthOf(token & 15) + LEAST_MATCH);
  }
}

function byteAt(block: Buffer, at: number): number {
  const byte = block[at];
  if (byte === undefined) throw cutOff();
  return byte;
}

function cutOff(): Error {
  return new Error('its LZ4 frame is cut off');
}

/** What a frame has been found to hold so far: matches may reach back into earlier blocks. */
class Content {
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #length = 0;
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  add(literals: Buffer): void {
    this.#makeRoom(literals.length);
    literals.copy(this.#buffer, this.#length);
    this.#length += literals.length;
  }

  repeat(distance: number, length: number): void {
    if (distance === 0 || distance > this.#length) throw new Error('its LZ4 frame points before its beginning');
    this.#makeRoom(length);
    const buffer = this.#buffer;
    const end = this.#length + length;
    // One by one: what is repeated may be what has just been written.
    for (let at = this.#length; at < end; at += 1) buffer[at] = buffer[at - distance] ?? 0;
    this.#length = end;
  }

  #makeRoom(length: number): void {
    const needed = this.#length + length;
    if (needed > this.#maxBytes) throw new Error(`it holds more than ${this.#maxBytes} bytes`);
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.min(Math.max(needed, this.#buffer.length * 2), this.#maxBytes));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
