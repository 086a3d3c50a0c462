import type { RowBatches, Rows } from './rows.ts';

/** Characters of JSON text that `selectOrStream` answers at once. */
export const wholeLength = 1024 * 1024;

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
