// Taking records out of a body and results back into one (contract/http-basics.md §7–8).
import { batchLimit, ExactNumber, Failure, fail, truthy, wireError } from '@sluice/contract';
import type { Payload } from './call.ts';

export type RecordInput = Record<string, unknown>;

export const isRecord = (value: unknown): value is RecordInput =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

/**
 * The records of a collection payload: `{"resource":[…]}`, `{"resource":{…}}` or a bare list.
 * Anything else holds none and gives an empty list; `requireRecords` refuses that.
 */
export function recordsOf(payload: Payload): RecordInput[] {
  const inner = isRecord(payload) ? payload.resource : payload;
  const list = isRecord(inner) ? [inner] : Array.isArray(inner) ? inner : [];
  if (list.length > batchLimit) throw fail('record.batchTooLarge', { limit: batchLimit });
  list.forEach((record, index) => {
    if (!isRecord(record)) throw fail('record.notAnObject', { index });
  });
  return list;
}

/** The records of a collection payload; none is the 400 "No record(s) detected in request…". */
export function requireRecords(payload: Payload): RecordInput[] {
  const records = recordsOf(payload);
  if (records.length === 0) throw fail('record.none');
  return records;
}

/**
 * The one record of a call on an id: the bare object, or one wrapped as `{"resource":[one]}` or `{"resource":{…}}`;
 * more than one is a 400 (docs/design.md, deliberate difference 15).
 */
export function readOneRecord(payload: Payload): RecordInput {
  if (isRecord(payload) && 'resource' in payload && Object.keys(payload).length === 1) {
    const records = recordsOf(payload);
    if (records.length > 1) throw fail('record.moreThanOne');
    return records[0] ?? {};
  }
  if (Array.isArray(payload)) {
    const records = recordsOf(payload);
    if (records.length > 1) throw fail('record.moreThanOne');
    return records[0] ?? {};
  }
  return isRecord(payload) ? payload : {};
}

/** Whatever was sent as a text: `String` fails for an object whose `toString` is not a function. */
export const stringifyInput = (input: unknown): string =>
  typeof input === 'object' && input !== null ? JSON.stringify(input) : String(input ?? '');

/** Refuses an object or a list where a single value is expected. */
export function refuseStructure(name: string, input: unknown, expected: string): void {
  if (typeof input !== 'object' || input === null) return;
  throw fail('http.wrongKind', { name, expected: expected, found: Array.isArray(input) ? 'a list' : 'an object' });
}

/** A flag among the fields of a body. */
export function readBodyFlag(fields: RecordInput, name: string): boolean {
  refuseStructure(name, fields[name], 'true or false');
  return truthy(fields[name]);
}

/** The outcome of one record of a batch: its result, or why it failed. */
export type Outcome<T> = { result: T; failure?: undefined } | { result?: undefined; failure: Failure };

export type BatchVerb = 'created' | 'updated' | 'deleted' | 'retrieved';

/**
 * The results of a batch, or the batch error when a record failed: code 1000, `context.error` the failed indexes,
 * `context.resource` every result or error so far. Its status is 400, or that of the fault when a fault
 * of the server or a database stopped the batch (507 for a full disk).
 */
export function settleBatch<T>(
  verb: BatchVerb,
  outcomes: Outcome<T>[],
  isRolledBack = false,
  serialize: (result: T) => unknown = (result) => result,
): T[] {
  if (!outcomes.some(({ failure }) => failure)) return outcomes.map(({ result }) => result as T);
  const failedIndexes = outcomes.flatMap(({ failure }, index) => (failure ? [index] : []));
  const fault = outcomes.find((outcome) => outcome.failure && outcome.failure.status >= 500)?.failure;
  const context = {
    error: failedIndexes,
    resource: outcomes.map((outcome) => (outcome.failure ? wireError(outcome.failure) : serialize(outcome.result))),
  };
  const key = fault ? 'record.batchFault' : 'record.batch';
  throw fail(key, { verb, rolledBack: isRolledBack }, { context, cause: fault, status: fault?.status });
}

/** Turns a thrown error into an outcome; a bug of ours is thrown on. */
export function outcomeOf<T>(error: unknown): Outcome<T> {
  if (error instanceof Failure) return { failure: error };
  throw error;
}
