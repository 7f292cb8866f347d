// The next deadline of every open expectation: a heap with four children a node, indexed by the expectation.
// A key may be too early (a fact has broken a silence since), never too late; whoever takes it looks again.
import type { Expectation } from './expectation.ts';

export class Deadlines {
  private readonly heap: Expectation[] = [];
  private keys = new Float64Array(16);

  /** The earliest key, or Infinity. */
  get earliest(): number {
    return this.heap.length === 0 ? Infinity : (this.keys[0] ?? Infinity);
  }

  get first(): Expectation | undefined {
    return this.heap[0];
  }

  /** Sets an expectation's key; Infinity takes it out. */
  set(expectation: Expectation, key: number): void {
    if (key === Infinity) {
      this.remove(expectation);
      return;
    }
    if (expectation.heapAt < 0) {
      expectation.heapAt = this.heap.length;
      this.heap.push(expectation);
      if (this.heap.length > this.keys.length) this.grow();
      this.rise(expectation, key, expectation.heapAt);
      return;
    }
    const before = this.keys[expectation.heapAt] ?? 0;
    if (key < before) this.rise(expectation, key, expectation.heapAt);
    else if (key > before) this.sink(expectation, key, expectation.heapAt);
  }

  remove(expectation: Expectation): void {
    const at = expectation.heapAt;
    if (at < 0) return;
    expectation.heapAt = -1;
    const key = this.keys[this.heap.length - 1] ?? 0;
    const last = this.heap.pop();
    if (last === undefined || last === expectation) return;
    if (at > 0 && key < (this.keys[(at - 1) >> 2] ?? 0)) this.rise(last, key, at);
    else this.sink(last, key, at);
  }

  private rise(expectation: Expectation, key: number, from: number): void {
    const { heap, keys } = this;
    let at = from;
    while (at > 0) {
      const parentAt = (at - 1) >> 2;
      const parent = heap[parentAt];
      const parentKey = keys[parentAt] ?? 0;
      if (parent === undefined || parentKey <= key) break;
      heap[at] = parent;
      keys[at] = parentKey;
      parent.heapAt = at;
      at = parentAt;
    }
    heap[at] = expectation;
    keys[at] = key;
    expectation.heapAt = at;
  }

  private sink(expectation: Expectation, key: number, from: number): void {
    const { heap, keys } = this;
    const { length } = heap;
    let at = from;
    for (;;) {
      const firstChild = at * 4 + 1;
      if (firstChild >= length) break;
      const end = Math.min(firstChild + 4, length);
      let leastAt = firstChild;
      let least = keys[firstChild] ?? 0;
      for (let child = firstChild + 1; child < end; child += 1) {
        const childKey = keys[child] ?? 0;
        if (childKey < least) {
          least = childKey;
          leastAt = child;
        }
      }
      const child = heap[leastAt];
      if (child === undefined || least >= key) break;
      heap[at] = child;
      keys[at] = least;
      child.heapAt = at;
      at = leastAt;
    }
    heap[at] = expectation;
    keys[at] = key;
    expectation.heapAt = at;
  }

  private grow(): void {
    const larger = new Float64Array(this.keys.length * 2);
    larger.set(this.keys);
    this.keys = larger;
  }
}
