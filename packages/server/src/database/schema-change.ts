// Calls that met a table which is not as it is described: somebody altered the database. A call that only reads, or was
// refused before it began, is retried on the table as it is now.
import { chain, Failure, fail, type MaybePromise } from '@sluice/contract';
import type { Rows, Table } from '@sluice/sql';
import type { Call, Reply, RowStream } from '../call/call.ts';
import { createKey } from '../call/typed-map.ts';
import type { DatabaseParts } from './parts.ts';

/** Refusals of a name that the table does not have; they come before anything is read or written. */
const unknownNameErrors = new Set([
  'filter.field',
  'filter.function',
  'filter.orderField',
  'filter.groupField',
  'filter.requestedField',
]);

/** The table as a call on its records found it described. */
export const describedTable = createKey<Table>('the described table');

/** How often a read is repeated because the schema was changed meanwhile. */
const maxRetries = 10;

/**
 * Answers a call on the records of a table. A read that the database reports as outdated is retried, with a new description by
 * then; a write tells its caller to retry. A field that is not known is looked for in the database, once a second at most.
 * A read during which this platform changed the schema is retried, too: its parts may not fit together.
 * Where the table is still as it was described, something in the database is broken, and no retry mends it: a view, a trigger.
 */
export function retryOnSchemaChange(
  call: Call,
  table: string,
  parts: DatabaseParts,
  answer: () => MaybePromise<Reply>,
): MaybePromise<Reply> {
  const isRead = call.verb === 'GET';
  const { gate } = parts;
  const attempt = (retries: number, isRechecked = false): MaybePromise<Reply> => {
    if (gate.pending) return gate.pending.then(() => attempt(retries, isRechecked));
    const { version } = gate;
    const again = () => attempt(retries - 1, isRechecked);
    const retry = async (error: unknown): Promise<Reply> => {
      if (!(error instanceof Failure) || retries <= 0) throw error;
      // Refused by half of a description: it is looked at again.
      if (isRead && !(await gate.holds(version))) return again();
      if (unknownNameErrors.has(error.key) && !isRechecked) {
        await parts.tables.byName(table, { recheck: true });
        return attempt(retries - 1, true);
      }
      // A write fails so before it has begun; after a change by somebody else its caller looks for himself what it means now.
      if (!isSchemaChange(error)) throw error;
      if (isRead ? retries === maxRetries : await gate.changesFrom(version)) return again();
      if (await isAsDescribed(table, call.state.get(describedTable), parts)) throw refusalOf(error);
      if (!isRead) throw error;
      return again();
    };
    /** The reply, if the schema is still the one it was made for. */
    const settle = (reply: Reply): MaybePromise<Reply> =>
      chain(gate.holds(version), (isCurrent) =>
        retries <= 0 ? reply : isCurrent ? retryStream(reply, () => gate.holds(version), again) : again(),
      );
    try {
      const reply = answer();
      if (reply instanceof Promise) return reply.then(isRead ? settle : undefined, retry);
      return isRead ? settle(reply) : reply;
    } catch (error) {
      return retry(error);
    }
  };
  return attempt(maxRetries);
}

const isSchemaChange = (error: unknown): error is Failure =>
  error instanceof Failure && error.key === 'database.changed';

/** Whether the database still has the table as it was described. */
async function isAsDescribed(name: string, table: Table | undefined, { tables }: DatabaseParts): Promise<boolean> {
  return table !== undefined && JSON.stringify(await tables.byName(name, { recheck: true })) === JSON.stringify(table);
}

/** The words of the database for a name that is missing, as for any statement that it refuses. */
function refusalOf({ cause }: Failure): Failure {
  const {
    errno,
    code,
    message,
    text = message ?? String(cause),
  } = cause as {
    errno?: number;
    code?: string | number;
    message?: string;
    text?: string;
  };
  return fail('record.database', { text }, { cause, code: errno ?? code });
}

/** A stream fails, or meets another schema, when its first rows are read, which is later than the answer. */
function retryStream(reply: Reply, holds: () => boolean | Promise<boolean>, again: () => MaybePromise<Reply>): Reply {
  if (!('rows' in reply.body)) return reply;
  let rows: RowStream = reply.body.rows;
  async function* batches(): AsyncGenerator<Rows> {
    let hasBegun = false;
    try {
      for await (const batch of rows.batches) {
        if (!hasBegun && !(await holds())) break;
        hasBegun = true;
        yield batch;
      }
      if (hasBegun) return;
    } catch (error) {
      if (hasBegun || !isSchemaChange(error)) throw error;
    }
    const { body } = await again();
    if (!('rows' in body)) throw new Error('the same call is streamed again');
    rows = body.rows;
    yield* rows.batches;
  }
  return { ...reply, body: { rows: { ...rows, batches: batches(), meta: (count) => rows.meta(count) } } };
}
