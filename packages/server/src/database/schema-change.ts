// Calls that met a table which is not as it is described: somebody else altered the database. A call that only reads, or was
// refused before it began, is retried once on the table as it is now.
import { Failure, type MaybePromise } from '@sluice/contract';
import type { Rows } from '@sluice/sql';
import type { Call, Reply, RowStream } from '../call/call.ts';
import type { DatabaseParts } from './parts.ts';

/** Refusals of a name that the table does not have; they come before anything is read or written. */
const unknownNameErrors = new Set([
  'filter.field',
  'filter.function',
  'filter.orderField',
  'filter.groupField',
  'filter.requestedField',
]);

/**
 * Answers a call on the records of a table. A read that the database reports as outdated is retried, with a new description by
 * then; a write tells its caller to retry. A field that is not known is looked for in the database, once a second at most.
 */
export function retryOnSchemaChange(
  call: Call,
  table: string,
  parts: DatabaseParts,
  answer: () => MaybePromise<Reply>,
): MaybePromise<Reply> {
  const isRead = call.verb === 'GET';
  const retry = async (error: unknown): Promise<Reply> => {
    if (!(error instanceof Failure)) throw error;
    if (unknownNameErrors.has(error.key)) await parts.tables.byName(table, { recheck: true });
    else if (!isRead || !isSchemaChange(error)) throw error;
    return answer();
  };
  try {
    const reply = answer();
    if (reply instanceof Promise)
      return reply.then(isRead ? (settled) => retryStream(settled, answer) : undefined, retry);
    return isRead ? retryStream(reply, answer) : reply;
  } catch (error) {
    return retry(error);
  }
}

const isSchemaChange = (error: unknown) => error instanceof Failure && error.key === 'database.changed';

/** A stream fails when its first rows are read, which is later than the answer. */
function retryStream(reply: Reply, answer: () => MaybePromise<Reply>): Reply {
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
      if (hasBegun || !isSchemaChange(error)) throw error;
    }
    const { body } = await answer();
    if (!('rows' in body)) throw new Error('the same call is streamed again');
    rows = body.rows;
    yield* rows.batches;
  }
  return { ...reply, body: { rows: { batches: batches(), meta: (count) => rows.meta(count) } } };
}
