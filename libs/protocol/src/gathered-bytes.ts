// Bytes that come in pieces, as one. It must never keep more than its bound, whatever the size of the pieces: each kept by
// itself costs a hundred times a small piece's bytes.

export class GatheredBytes {
  private buffer = Buffer.alloc(0);
  private count = 0;

  constructor(private readonly limit: number) {}

  /** How many there are. */
  get length(): number {
    return this.count;
  }

  /** Copies the piece behind what there is. False where that would be past the bound: then nothing is taken. */
  add(piece: Uint8Array): boolean {
    const needed = this.count + piece.byteLength;
    if (needed > this.limit) return false;
    if (needed > this.buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(this.limit, Math.max(needed, 2 * this.buffer.length)));
      larger.set(this.buffer.subarray(0, this.count));
      this.buffer = larger;
    }
    this.buffer.set(piece, this.count);
    this.count = needed;
    return true;
  }

  /** All there is; it begins anew. */
  take(): Buffer {
    const taken = this.buffer.subarray(0, this.count);
    this.buffer = Buffer.alloc(0);
    this.count = 0;
    return taken;
  }
}
