// A plain binary heap with lazy deletion: what a bare timer queue is made of.

export class BinaryHeap<T> {
  private readonly keys: number[] = [];
  private readonly items: T[] = [];

  get firstKey(): number {
    return this.keys[0] ?? Infinity;
  }

  push(key: number, item: T): void {
    const { keys, items } = this;
    let at = keys.length;
    keys.push(key);
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((keys[parent] ?? 0) <= key) break;
      keys[at] = keys[parent] ?? 0;
      items[at] = items[parent] ?? item;
      at = parent;
    }
    keys[at] = key;
    items[at] = item;
  }

  pop(): T | undefined {
    const { keys, items } = this;
    const first = items[0];
    const key = keys.pop();
    const item = items.pop();
    if (key === undefined || item === undefined || keys.length === 0) return first;
    let at = 0;
    for (let child = 1; child < keys.length; child = 2 * at + 1) {
      if (child + 1 < keys.length && (keys[child + 1] ?? 0) < (keys[child] ?? 0)) child += 1;
      if ((keys[child] ?? 0) >= key) break;
      keys[at] = keys[child] ?? 0;
      items[at] = items[child] ?? item;
      at = child;
    }
    keys[at] = key;
    items[at] = item;
    return first;
  }
}
