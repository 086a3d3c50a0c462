// What is under way right now: many come and go, in no order, and each is taken out again.
//
// A `Set` would make every collection of young objects expensive. When V8 rebuilds the table of a `Set` or `Map`, which it does
// whenever half of it was deleted, the old table refers to the new one. Once such a table is among the old objects, all that
// follow it live until the next collection of everything, and with them whatever was in the set when they were given up: here
// that was half of all calls, with their requests, bodies and answers (docs/performance.md, "What lives too long").

/** What a bag can hold, in one bag at a time. */
export interface Placed {
  /** Where it is in its bag; the bag's own. */
  place: number;
}

export class Bag<T extends Placed> implements Iterable<T> {
  private readonly items: T[] = [];

  get size(): number {
    return this.items.length;
  }

  add(item: T): void {
    item.place = this.items.length;
    this.items.push(item);
  }

  /** False when it is not there. */
  delete(item: T): boolean {
    if (this.items[item.place] !== item) return false;
    const last = this.items.pop() as T;
    if (last !== item) {
      this.items[item.place] = last;
      last.place = item.place;
    }
    return true;
  }

  /** Those that are there when it begins, whatever becomes of them meanwhile. */
  [Symbol.iterator](): Iterator<T> {
    return [...this.items][Symbol.iterator]();
  }
}
