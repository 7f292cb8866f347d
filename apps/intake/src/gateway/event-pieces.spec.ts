// A stream's pieces, however the bytes are cut on their way.
import fc from 'fast-check';
import { type EventPiece, EventPieces } from './event-pieces.ts';

function cut(stream: string, sizes: readonly number[] = [], limit = 1_000): EventPiece[] {
  const pieces = new EventPieces(limit);
  const bytes = Buffer.from(stream);
  const cutting: EventPiece[] = [];
  let start = 0;
  for (const size of [...sizes, bytes.length]) {
    cutting.push(...pieces.push(bytes.subarray(start, start + size)));
    start += size;
  }
  const rest = pieces.end();
  return rest === undefined ? cutting : [...cutting, rest];
}

const texts = (pieces: Iterable<EventPiece>) => [...pieces].map(({ bytes }) => Buffer.from(bytes).toString());
const dataOf = (pieces: readonly EventPiece[]) => pieces.flatMap(({ data }) => (data ? [data.toString()] : []));

describe('a stream of events', () => {
  it.each([
    ['line feeds', '\n'],
    ['carriage returns', '\r'],
    ['both', '\r\n'],
  ])('with %s is cut after each event, and its data read', (_, end) => {
    const first = `event: x${end}data: {"a":${end}data:1}${end}${end}`;
    const second = `data: é${end}${end}`;
    const pieces = cut(first + second);
    expect(texts(pieces)).toEqual([first, second]);
    expect(dataOf(pieces)).toEqual(['{"a":\n1}', 'é']);
  });

  it('lets a comment pass by itself, before the event after it is whole', () => {
    const pieces = new EventPieces(1_000);
    expect(texts(pieces.push(Buffer.from(': alive\ndata: 1\n')))).toEqual([': alive\n']);
    expect(texts(pieces.push(Buffer.from('\n: alive\n\n')))).toEqual(['data: 1\n\n', ': alive\n', '\n']);
  });

  it('lets a line feed pass at once that comes late behind its carriage return', () => {
    const pieces = new EventPieces(1_000);
    expect(texts(pieces.push(Buffer.from('data: 1\r\n\r')))).toEqual(['data: 1\r\n\r']);
    expect(texts(pieces.push(Buffer.from('\n')))).toEqual(['\n']);
    expect(texts(pieces.push(Buffer.from('data: 2\n\n')))).toEqual(['data: 2\n\n']);
  });

  it('ends with what is left, an event that was not ended included', () => {
    expect(dataOf(cut('data: 1'))).toEqual(['1']);
    expect(cut('')).toEqual([]);
  });

  it('is whole however it is cut, and has the same data', () => {
    const lines = fc.constantFrom('data: 1', 'data:{}', ': c', 'id: 7', 'data', '', 'é');
    const ends = fc.constantFrom('\n', '\r', '\r\n');
    const streams = fc.array(
      fc.tuple(lines, ends).map((parts) => parts.join('')),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(streams, fc.array(fc.nat(9), { maxLength: 60 }), (parts, sizes) => {
        const stream = parts.join('');
        const pieces = cut(stream, sizes);
        expect(texts(pieces).join('')).toBe(stream);
        expect(dataOf(pieces)).toEqual(dataOf(cut(stream)));
      }),
    );
  });

  it('is kept as one, in however many pieces it comes', () => {
    const pieces = new EventPieces(1_000);
    const stores = new Set<ArrayBufferLike>();
    const chunk = Buffer.from('data: x'.repeat(100));
    for (const byte of chunk) {
      expect([...pieces.push(Buffer.of(byte))]).toEqual([]);
      const { pending } = pieces as unknown as { readonly pending: { readonly buffer: Buffer } };
      stores.add(pending.buffer.buffer);
    }
    expect(stores.size).toBeLessThan(20);
    expect(texts(pieces.push(Buffer.from('\n\n')))).toEqual([`${chunk.toString()}\n\n`]);
  });

  it('may not have an event larger than the bound', () => {
    expect(() => cut(`data: ${'x'.repeat(100)}\n\n`, [], 50)).toThrow('larger than 50 bytes');
    expect(() => cut(`data: ${'x'.repeat(100)}`, [20, 20, 20], 50)).toThrow('larger than 50 bytes');
    expect(dataOf(cut('data: 12345678\n\n'.repeat(20), [], 50))).toHaveLength(20);
  });
});
