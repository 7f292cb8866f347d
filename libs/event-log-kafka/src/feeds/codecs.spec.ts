// Compressed batches: read as they were, and bounded. That they are read as Kafka's own client writes them is shown with it.
import { compress } from 'snappyjs';
import { decompressSnappy, decompressZstd } from './codecs.ts';
import { decompressLz4Frame } from './lz4-frame.ts';

const most = 1_000_000;

describe('snappy', () => {
  const block = (text: string): Buffer => compress(Buffer.from(text));
  const xerial = (...blocks: readonly Buffer[]): Buffer => {
    const header = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0, 0, 0, 0, 1, 0, 0, 0, 1]);
    const sized = blocks.flatMap((bytes) => {
      const size = Buffer.alloc(4);
      size.writeUInt32BE(bytes.length);
      return [size, bytes];
    });
    return Buffer.concat([header, ...sized]);
  };

  it('is read in one block, and in blocks as Java’s clients write them', () => {
    expect(decompressSnappy(block('hello hello hello'), most).toString()).toBe('hello hello hello');
    expect(decompressSnappy(xerial(block('one '), block('two')), most).toString()).toBe('one two');
  });

  it('is not read past its bound, nor where it is cut off', () => {
    const zeros = compress(Buffer.alloc(600));
    expect(() => decompressSnappy(xerial(zeros, zeros), 1_000)).toThrow(/too big/);
    expect(() => decompressSnappy(xerial(zeros).subarray(0, 24), most)).toThrow('cut off');
  });
});

describe('an LZ4 frame', () => {
  const header = [0x04, 0x22, 0x4d, 0x18, 0x60, 0x40, 0x82];
  const frame = (block: readonly number[]): Buffer =>
    Buffer.from([...header, block.length, 0, 0, 0, ...block, 0, 0, 0, 0]);
  /** `ab`, ten of what was two before, then `!`. */
  const repeating = [0x26, 0x61, 0x62, 0x02, 0x00, 0x10, 0x21];

  it('is read, with what it repeats', () => {
    expect(decompressLz4Frame(frame(repeating), most).toString()).toBe('abababababab!');
  });

  it('is read where a block is stored as it is', () => {
    const stored = Buffer.from([...header, 2, 0, 0, 0x80, 0x68, 0x69, 0, 0, 0, 0]);
    expect(decompressLz4Frame(stored, most).toString()).toBe('hi');
  });

  it('is not read past its bound', () => {
    expect(() => decompressLz4Frame(frame(repeating), 12)).toThrow('more than 12 bytes');
  });

  it.each<[string, Buffer, string]>([
    ['is none', Buffer.from('nothing of the kind'), 'no LZ4 frame'],
    ['ends too early', frame(repeating).subarray(0, 12), 'cut off'],
    ['has no end', frame(repeating).subarray(0, -4), 'cut off'],
    ['points before its beginning', frame([0x16, 0x61, 0x09, 0x00, 0x10, 0x21]), 'before its beginning'],
    ['points nowhere', frame([0x16, 0x61, 0x00, 0x00, 0x10, 0x21]), 'before its beginning'],
    ['wants a dictionary', Buffer.from([0x04, 0x22, 0x4d, 0x18, 0x61, 0x40, 0x82]), 'dictionary'],
  ])('is refused where it %s', (_, bytes, message) => {
    expect(() => decompressLz4Frame(bytes, most)).toThrow(message);
  });
});

describe('zstd', () => {
  /** A frame of one block: `a`, two thousand times. */
  const many = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, ((2_000 << 3) & 0xff) | 3, (2_000 << 3) >> 8, 0, 0x61]);

  it('is read, and not past its bound', () => {
    expect(decompressZstd(many, most).toString()).toBe('a'.repeat(2_000));
    expect(() => decompressZstd(many, 1_999)).toThrow('more than 1999 bytes');
  });

  it('is refused where it is none', () => {
    expect(() => decompressZstd(Buffer.from('nothing of the kind'), most)).toThrow();
  });
});
