// The record engine on the wire: reads what a call asks for and answers its results (contract/http-basics.md §7–10).
import { fail, truthy } from '@sluice/contract';
import type { Rows } from '@sluice/sql';
import { answer, type Call, type Reply } from '../call/call.ts';
import { type ListQuery, parseCommaList, readListQuery } from '../call/list-query.ts';
import { type RecordInput, readOneRecord, recordsOf, requireRecords } from '../call/payload.ts';
import { rowsOf } from '../call/reply.ts';
import type { StoredRow, WireRecord } from '../resource/resource.ts';
import { mayDo } from './access.ts';
import { readTextCells } from './cells.ts';
import type { RecordEngine, RecordUpdate, WriteRequest, WrittenOfBatch } from './engine.ts';
import type { RecordList } from './read.ts';
import { etagOf } from './version.ts';

/** Records of one resource, asked for by a call. */
interface RecordsCall {
  engine: RecordEngine;
  call: Call;
  resource: string;
  /** The field that identifies a record. */
  key: string;
  habits: ResourceHabits;
  payload: unknown;
  query: ListQuery;
}

/** In what the answers of single resources differ. */
export interface ResourceHabits {
  /** The status of a create; 201 where absent. */
  createdStatus?: number;
  /** The refusal of a delete that names nothing. */
  nothingToDelete?: 'record.noneToDelete' | 'record.none';
  /** One record is answered as a value of it alone (`bareValue`). */
  answersBare?: true;
  /** Others than administrators may only read. */
  writtenByAdministrators?: true;
}

export interface ResourceAddress {
  /** The name of the declaration. */
  name: string;
  /** The field that identifies a record. */
  identifier: string;
}

/** Answers a call on a resource: on the collection, or on one record when the address goes on. */
export async function answerRecords(
  engine: RecordEngine,
  call: Call,
  { name, identifier }: ResourceAddress,
  id?: string,
  habits: ResourceHabits = {},
): Promise<Reply> {
  const payload = await readTextCells(call, await call.body());
  // Only a tunnelled GET carries parameters in its body; elsewhere the body is records, whose fields may have these names.
  const query = {
    ...readListQuery(call, call.verb === 'GET' ? payload : undefined),
    ids: parseCommaList(call.query.get('ids')),
  };
  const recordsCall: RecordsCall = { engine, call, resource: name, key: identifier, habits, payload, query };
  return id === undefined ? answerCollection(recordsCall) : answerRecord(recordsCall, id);
}

async function answerRecord(recordsCall: RecordsCall, id: string): Promise<Reply> {
  const { engine, call, resource, payload, query } = recordsCall;
  const scope = { actor: call };
  switch (call.verb) {
    case 'GET': {
      const result = await engine.read(resource, id, query, scope);
      return withEtag(answer(result.answer), result.row);
    }
    case 'POST':
      throw fail('record.createById');
    case 'PUT':
    case 'PATCH': {
      const update = { id, input: readOneRecord(payload) };
      const { record, row } = await engine.updateOne(resource, update, writeRequest(recordsCall), scope);
      // The version shows when a record was created and how often it changed.
      return mayDo(scope, resource, 'GET') ? withEtag(answer(record), row) : answer(record);
    }
    case 'DELETE':
      return answer((await engine.deleteOne(resource, id, writeRequest(recordsCall), scope)).record);
  }
}

async function answerCollection(recordsCall: RecordsCall): Promise<Reply> {
  const { engine, call, resource, query } = recordsCall;
  switch (call.verb) {
    case 'GET': {
      const ids = namedIds(recordsCall);
      const scope = { actor: call };
      return answerList(
        await (ids.length > 0 ? engine.listByIds(resource, ids, query, scope) : engine.list(resource, query, scope)),
      );
    }
    case 'POST':
      return answerCreated(await create(recordsCall), recordsCall.habits.createdStatus);
    case 'PUT':
    case 'PATCH':
      return answer({ resource: recordsIn(await update(recordsCall)) });
    case 'DELETE':
      return answer({ resource: recordsIn(await remove(recordsCall)) });
  }
}

function answerList({ resource, meta }: RecordList): Reply {
  if (Array.isArray(resource)) return answer({ resource, ...(meta && { meta }) });
  const metaText = meta ? `,"meta":${JSON.stringify(meta)}` : '';
  return { body: { rows: { batches: batchesOf(resource), meta: async () => metaText } } };
}

async function* batchesOf(pieces: AsyncIterable<WireRecord[]>): AsyncGenerator<Rows> {
  for await (const piece of pieces) yield rowsOf(piece);
}

const writeRequest = ({ call, query }: RecordsCall): WriteRequest => ({
  fields: query.fields,
  related: query.related,
  continue: query.continue,
  rollback: query.rollback,
  ifMatch: call.header('if-match'),
  options: {
    regenerateKey: truthy(call.query.get('regenerate')),
    sendInvite: truthy(call.query.get('send_invite')),
    deleteStorage: truthy(call.query.get('delete_storage')),
    isAllOrNothing: query.rollback,
  },
});

const create = (recordsCall: RecordsCall): Promise<WrittenOfBatch[]> => {
  const { engine, call, resource, payload } = recordsCall;
  return engine.create(resource, requireRecords(payload), writeRequest(recordsCall), { actor: call });
};

/** With `ids` the first record is what changes in all of them; without, each record names its own. */
async function update(recordsCall: RecordsCall): Promise<WrittenOfBatch[]> {
  const { engine, call, resource, key, payload, query } = recordsCall;
  const records = requireRecords(payload);
  const updates: RecordUpdate[] = query.ids
    ? query.ids.map((id) => ({ id, input: records[0] as RecordInput }))
    : records.map((record) => ({ id: record[key], input: record }));
  return engine.update(resource, updates, writeRequest(recordsCall), { actor: call });
}

async function remove(recordsCall: RecordsCall): Promise<WrittenOfBatch[]> {
  const { engine, call, resource, query, habits } = recordsCall;
  const request = writeRequest(recordsCall);
  const scope = { actor: call };
  const ids = namedIds(recordsCall);
  if (ids.length > 0) return engine.delete(resource, ids, request, scope);
  if (query.filter !== undefined) throw fail('record.byFilter');
  if (!query.force) throw fail(habits.nothingToDelete ?? 'record.noneToDelete');
  return engine.deleteAll(resource, request, scope);
}

/** The records a call names: by `ids`, else by those of its body. */
const namedIds = ({ key, query, payload }: RecordsCall): unknown[] =>
  query.ids ?? recordsOf(payload).map((record) => record[key]);

const recordsIn = (written: WrittenOfBatch[]) => written.map(({ record }) => record);

/** A single new record comes with its version, so that its creator can go on editing. */
function answerCreated(written: WrittenOfBatch[], status = 201): Reply {
  const reply = answer({ resource: recordsIn(written) }, status);
  return written.length === 1 ? withVersion(reply, written[0]?.version) : reply;
}

/** Adds the version of the one record an answer holds. */
/** An answer with the version of its record. */
export const withEtag = (reply: Reply, row: StoredRow): Reply => withVersion(reply, etagOf(row));

function withVersion(reply: Reply, version: string | undefined): Reply {
  return version === undefined ? reply : { ...reply, headers: { ...reply.headers, ETag: version } };
}
