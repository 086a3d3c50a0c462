// Waiters, each under a key: a caller, or a network and an account in it. Keys are served by round robin, so that one that comes
// often does not make the others wait; within one it is first come, first served.

/** Whose turns a waiter uses, outermost first; all keys of a queue are equally long. */
export type TurnKey = readonly (string | undefined)[];

/** `W` is what waits; each waits once. */
export class TurnQueue<W> {
  /** By the first part of the key, in the order of turns: who had one goes to the end. */
  private readonly groups = new Map<string | undefined, TurnQueue<W>>();
  /** Those of one whole key. No `Set`, for the reason in bag.ts. */
  private readonly waiters: W[] = [];
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** How many wait whose key begins so. */
  sizeOf(group: string | undefined): number {
    return this.groups.get(group)?.size ?? 0;
  }

  add(key: TurnKey, waiter: W): void {
    this.count += 1;
    if (key.length === 0) {
      this.waiters.push(waiter);
      return;
    }
    const [group, ...inner] = key;
    const queue = this.groups.get(group) ?? new TurnQueue<W>();
    queue.add(inner, waiter);
    this.groups.set(group, queue);
  }

  /** Takes one out that waits no more; false when it is not there. */
  remove(key: TurnKey, waiter: W): boolean {
    const [group, ...inner] = key;
    const wasThere =
      key.length === 0 ? this.removeWaiter(waiter) : (this.groups.get(group)?.remove(inner, waiter) ?? false);
    if (wasThere) this.forgetOne(group);
    return wasThere;
  }

  /** Takes out whose turn it is, of the first group that `mayGo`; undefined when there is none. */
  next(mayGo: (group: string | undefined) => boolean = () => true): W | undefined {
    for (const [group, queue] of this.groups) {
      if (!mayGo(group)) continue;
      const waiter = queue.next();
      this.forgetOne(group);
      this.endTurn(group);
      return waiter;
    }
    const first = this.waiters.shift();
    if (first !== undefined) this.count -= 1;
    return first;
  }

  /** Puts a group behind all others. */
  endTurn(group: string | undefined): void {
    if (this.groups.size < 2) return;
    const queue = this.groups.get(group);
    if (queue && this.groups.delete(group)) this.groups.set(group, queue);
  }

  /** Takes out the newest of the key with the most waiting, and among equals of `preferred`. */
  takeNewestOfFullest(preferred: TurnKey): W | undefined {
    const [preferredGroup, ...inner] = preferred;
    let fullest = preferredGroup;
    for (const [group, { size }] of this.groups) if (size > this.sizeOf(fullest)) fullest = group;
    const newest = this.groups.size > 0 ? this.groups.get(fullest)?.takeNewestOfFullest(inner) : this.waiters.pop();
    if (newest !== undefined) this.forgetOne(fullest);
    return newest;
  }

  /** Empties the queue. */
  drain(): W[] {
    const waiters = [...this.waiters.splice(0), ...[...this.groups.values()].flatMap((queue) => queue.drain())];
    this.groups.clear();
    this.count = 0;
    return waiters;
  }

  private removeWaiter(waiter: W): boolean {
    const index = this.waiters.indexOf(waiter);
    if (index >= 0) this.waiters.splice(index, 1);
    return index >= 0;
  }

  /** One of a group waits no more. */
  private forgetOne(group: string | undefined): void {
    this.count -= 1;
    if (this.groups.get(group)?.size === 0) this.groups.delete(group);
  }
}
