// Calls that met a table which is not as it is described: somebody altered the database beside us. What only reads, or was
// refused before it began, is done once more on what the table is now.
import { Failure, type MaybePromise } from '@sluice/contract';
import type { Rows } from '@sluice/sql';
import type { Call, Reply, RowStream } from '../call/call.ts';
import type { DatabaseParts } from './parts.ts';

/** Refusals of a name that the table does not have; they come before anything is read or written. */
const unknownName = new Set([
  'filter.field',
  'filter.function',
  'filter.orderField',
  'filter.groupField',
  'filter.requestedField',
]);

/**
 * Answers a call on the records of a table. A read the database finds to be out of date is asked once more, by then
 * described anew; a write tells its caller to. A field nobody knows is looked for in the database, once a second at most.
 */
export function onTableAsItIs(
  call: Call,
  table: string,
  parts: DatabaseParts,
  answer: () => MaybePromise<Reply>,
): MaybePromise<Reply> {
  const isRead = call.verb === 'GET';
  const again = async (error: unknown): Promise<Reply> => {
    if (!(error instanceof Failure)) throw error;
    if (unknownName.has(error.key)) await parts.tables.byName(table, { recheck: true });
    else if (!isRead || !isChanged(error)) throw error;
    return answer();
  };
  try {
    const reply = answer();
    if (reply instanceof Promise) return reply.then(isRead ? (it) => streamedAsItIs(it, answer) : undefined, again);
    return isRead ? streamedAsItIs(reply, answer) : reply;
  } catch (error) {
    return again(error);
  }
}

const isChanged = (error: unknown) => error instanceof Failure && error.key === 'database.changed';

/** Rows that come later tell later that they can not be read: with the first of them. */
function streamedAsItIs(reply: Reply, answer: () => MaybePromise<Reply>): Reply {
  if (!('rows' in reply.body)) return reply;
  let rows: RowStream = reply.body.rows;
  async function* batches(): AsyncGenerator<Rows> {
    let hasBegun = false;
    try {
      for await (const batch of rows.batches) {
        hasBegun = true;
        yield batch;
      }
      return;
    } catch (error) {
      if (hasBegun || !isChanged(error)) throw error;
    }
    const { body } = await answer();
    if (!('rows' in body)) throw new Error('the same call is streamed again');
    rows = body.rows;
    yield* rows.batches;
  }
  return { ...reply, body: { rows: { batches: batches(), meta: (count) => rows.meta(count) } } };
}
