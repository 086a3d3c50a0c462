// Taking records out of a body and results back into one (contract/http-basics.md §7–8).
import { batchLimit, Failure, fail, truthy, wireError } from '@sluice/contract';
import type { Payload } from './call.ts';

export type RecordInput = Record<string, unknown>;

export const isRecord = (value: unknown): value is RecordInput =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
export function oneRecord(payload: Payload): RecordInput {
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

/** What a record says, by the names of its fields in lower case. */
export const fieldsOf = (record: RecordInput): Map<string, unknown> =>
  new Map(Object.entries(record).map(([name, value]) => [name.toLowerCase(), value]));

/** A text where one is expected, whatever was sent: an object may claim to be a text and fail at it. */
export const wordOf = (sent: unknown): string =>
  typeof sent === 'object' && sent !== null ? JSON.stringify(sent) : String(sent ?? '');

/** Refuses an object or a list in the place of one word. */
export function refuseStructure(name: string, sent: unknown, wanted: string): void {
  if (typeof sent !== 'object' || sent === null) return;
  throw fail('http.wrongKind', { name, wanted, found: Array.isArray(sent) ? 'a list' : 'an object' });
}

/** A flag among the fields of a body. */
export function flagIn(fields: RecordInput, name: string): boolean {
  refuseStructure(name, fields[name], 'true or false');
  return truthy(fields[name]);
}

/** What became of one record of a batch: its result, or why it failed. */
export type Outcome<T> = { result: T; failure?: undefined } | { result?: undefined; failure: Failure };

export type BatchVerb = 'created' | 'updated' | 'deleted' | 'retrieved';

/**
 * The results of a batch, or the batch error when a record failed: code 1000, `context.error` the failed indexes,
 * `context.resource` every result or error so far. When a fault of the server or a database stopped it, its status is
 * that of the fault (507 for a full disk), else 400.
 */
export function settleBatch<T>(
  verb: BatchVerb,
  outcomes: Outcome<T>[],
  rolledBack = false,
  shown: (result: T) => unknown = (result) => result,
): T[] {
  const failed = outcomes.flatMap((outcome, index) => (outcome.failure ? [index] : []));
  if (failed.length === 0) return outcomes.map((outcome) => outcome.result as T);
  const fault = outcomes.find((outcome) => outcome.failure && outcome.failure.status >= 500)?.failure;
  const context = {
    error: failed,
    resource: outcomes.map((outcome) => (outcome.failure ? wireError(outcome.failure) : shown(outcome.result))),
  };
  const key = fault ? 'record.batchFault' : 'record.batch';
  throw fail(key, { verb, rolledBack }, { context, cause: fault, status: fault?.status });
}

/** Turns a thrown error into an outcome; a bug of ours is thrown on. */
export function outcomeOf<T>(error: unknown): Outcome<T> {
  if (error instanceof Failure) return { failure: error };
  throw error;
}
