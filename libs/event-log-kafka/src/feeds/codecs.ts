// How others' batches are compressed, told to the client: it knows gzip alone. Each codec is bounded, since a megabyte can
// be made to hold gigabytes. We compress nothing ourselves.
import { gunzip, gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { Decompress } from 'fzstd';
import kafkajs from 'kafkajs';
import snappy from 'snappyjs';
import { decompressLz4Frame } from './lz4-frame.ts';

/** What one batch may hold: as much as one of our own. */
const MAX_CONTENT_BYTES = 16 * 1024 * 1024;
/** Java's clients put snappy's blocks into a frame of their own: this, two versions, then each block with its length. */
const XERIAL_MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0]);
const XERIAL_HEADER_BYTES = 16;

const inflate = promisify(gunzip);
const deflate = promisify(gzip);

/** Once is enough for the process; more does no harm. */
export function registerCodecs(maxBytes = MAX_CONTENT_BYTES): void {
  const { CompressionCodecs, CompressionTypes } = kafkajs;
  const reading = (decompress: (bytes: Buffer) => Buffer) => (): unknown => ({
    compress: async () => Promise.reject(new Error('nothing is compressed so')),
    decompress: async (bytes: Buffer) => decompress(bytes),
  });
  CompressionCodecs[CompressionTypes.GZIP] = () => ({
    compress: async ({ buffer }: { readonly buffer: Buffer }) => deflate(buffer),
    decompress: async (bytes: Buffer) => inflate(bytes, { maxOutputLength: maxBytes }),
  });
  CompressionCodecs[CompressionTypes.Snappy] = reading((bytes) => decompressSnappy(bytes, maxBytes));
  CompressionCodecs[CompressionTypes.LZ4] = reading((bytes) => decompressLz4Frame(bytes, maxBytes));
  CompressionCodecs[CompressionTypes.ZSTD] = reading((bytes) => decompressZstd(bytes, maxBytes));
}

/** In blocks as Java's clients write them, or in one. Throws where it is not so, or holds more than `maxBytes`. */
export function decompressSnappy(bytes: Buffer, maxBytes: number): Buffer {
  if (!bytes.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC)) return snappy.uncompress(bytes, maxBytes);
  const blocks: Buffer[] = [];
  let left = maxBytes;
  for (let at = XERIAL_HEADER_BYTES; at + 4 <= bytes.length;) {
    const end = at + 4 + bytes.readUInt32BE(at);
    if (end > bytes.length) throw new Error('its snappy frame is cut off');
    const block = snappy.uncompress(bytes.subarray(at + 4, end), left);
    left -= block.length;
    blocks.push(block);
    at = end;
  }
  return Buffer.concat(blocks);
}

/** Throws where it is not zstd, or holds more than `maxBytes`: what a frame says of its size is not believed. */
export function decompressZstd(bytes: Buffer, maxBytes: number): Buffer {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const stream = new Decompress((piece) => {
    length += piece.length;
    if (length > maxBytes) throw new Error(`it holds more than ${maxBytes} bytes`);
    pieces.push(piece);
  });
  stream.push(bytes, true);
  return Buffer.concat(pieces, length);
}
