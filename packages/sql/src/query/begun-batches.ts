import type { RowBatches, Rows } from './rows.ts';

/** Characters of JSON text that `selectOrStream` answers at once. */
export const wholeLength = 1024 * 1024;

/**
 * Characters that it answers at once where no connection can be spared for a reader; a longer answer waits for one: made and sent
 * in one piece it would take the thread of all calls for hundreds of milliseconds.
 */
export const longestWhole = 4 * wholeLength;

/** Begins to read batches, so that leaving them before the first one ends them too. Rejects as reading the first one does. */
export async function beginBatches(batches: AsyncGenerator<Rows>): Promise<RowBatches> {
  let first: IteratorResult<Rows> | undefined = await batches.next();
  const begun: RowBatches = {
    next() {
      const result = first;
      first = undefined;
      return result ? Promise.resolve(result) : batches.next();
    },
    return() {
      first = undefined;
      return batches.return(undefined);
    },
    [Symbol.asyncIterator]: () => begun,
  };
  return begun;
}
