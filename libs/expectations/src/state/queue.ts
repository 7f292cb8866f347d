// A first-in-first-out list of a few objects; taking from its front costs nothing however long it is.

export class Queue<T> {
  private items: T[] = [];
  private head = 0;

  get first(): T | undefined {
    return this.items[this.head];
  }

  push(item: T): void {
    this.items.push(item);
  }

  shift(): void {
    this.head += 1;
    if (this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
  }

  [Symbol.iterator](): Iterator<T> {
    return this.items.slice(this.head).values();
  }
}
