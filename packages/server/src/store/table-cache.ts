// What is made of the rows of one table, in memory until one of them changes.
import type { MaybePromise } from '@sluice/contract';
import { affects, type Bus } from './bus/index.ts';

export interface TableCache<T> {
  /** What was made of them, at once where it is here. All who ask while they are read share that; after a failure the next reads again. */
  get(): MaybePromise<T>;
  /** Undefined while they are not read. */
  peek(): T | undefined;
}

/** No call that begins after a change was announced gets what was read before it. */
export function createTableCache<T>(bus: Pick<Bus, 'subscribe'>, table: string, read: () => Promise<T>): TableCache<T> {
  let current: { value: T } | undefined;
  let loading: Promise<T> | undefined;
  bus.subscribe((change) => {
    if (!affects(change, table)) return;
    current = undefined;
    loading = undefined;
  });
  function load(): Promise<T> {
    const reading = read();
    loading = reading;
    reading.then(
      (value) => {
        if (loading === reading) current = { value };
      },
      () => {
        if (loading === reading) loading = undefined;
      },
    );
    return reading;
  }
  return { get: () => (current ? current.value : (loading ?? load())), peek: () => current?.value };
}
