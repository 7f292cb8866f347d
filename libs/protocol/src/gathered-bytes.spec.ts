// Pieces of any size within one bound.
import fc from 'fast-check';
import { GatheredBytes } from './gathered-bytes.ts';
import { readBytes, TooLargeError } from './read-bytes.ts';

describe('bytes that come in pieces', () => {
  it('are what came, in order, and begin anew once they are taken', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 40 }), (pieces) => {
        const gathered = new GatheredBytes(2_000);
        for (let round = 0; round < 2; round += 1) {
          for (const piece of pieces) expect(gathered.add(piece)).toBe(true);
          const all = Buffer.concat(pieces);
          expect(gathered.length).toBe(all.length);
          expect(gathered.take().equals(all)).toBe(true);
          expect(gathered.length).toBe(0);
        }
      }),
    );
  });

  it('are never more than the bound, nor keep the piece itself', () => {
    const gathered = new GatheredBytes(5);
    const piece = Buffer.from('abcd');
    expect(gathered.add(piece)).toBe(true);
    piece.fill(0);
    expect(gathered.add(Buffer.from('ef'))).toBe(false);
    expect(gathered.add(Buffer.from('e'))).toBe(true);
    expect(gathered.take().toString()).toBe('abcde');
  });

  it('are kept in one place, however many they are', () => {
    const gathered = new GatheredBytes(10_000);
    const stores = new Set<ArrayBufferLike>();
    for (let count = 0; count < 10_000; count += 1) {
      gathered.add(Buffer.of(count));
      stores.add((gathered as unknown as { readonly buffer: Buffer }).buffer.buffer);
    }
    expect(stores.size).toBeLessThan(20);
    expect(gathered.take().buffer.byteLength).toBeLessThanOrEqual(10_000);
  });
});

describe('a body that comes in pieces', () => {
  function responseOf(pieces: readonly Uint8Array[]): Response {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece);
        controller.close();
      },
    });
    return new Response(stream);
  }

  it('is read whole, within its bound', async () => {
    const pieces = Array.from('duewatch', (letter) => Buffer.from(letter));
    expect(Buffer.from(await readBytes(responseOf(pieces), 8)).toString()).toBe('duewatch');
    await expect(readBytes(responseOf(pieces), 7)).rejects.toThrow(TooLargeError);
    expect(await readBytes(new Response(null), 7)).toHaveLength(0);
  });

  it('is none of the pieces, which are free to go', async () => {
    const piece = Buffer.from('ab');
    const bytes = await readBytes(responseOf([piece, Buffer.from('cd')]), 10);
    piece.fill(0);
    expect(Buffer.from(bytes).toString()).toBe('abcd');
  });
});
