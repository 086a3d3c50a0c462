// The record engine: serves every declared system resource with one set of rules (contract/system-resources.md §0).
// What is particular to a resource is in resources/<name>/; nothing here knows one by name.
import { fail } from '@sluice/contract';
import { answer, type Call, type Reply } from '../call/call.ts';
import { commaList, type ListQuery, listQuery } from '../call/list-query.ts';
import { oneRecord, type RecordInput, recordsOf, requireRecords } from '../call/payload.ts';
import type { RecordContext, RecordId, ServedResource, StoredRow, WireRecord } from '../resource/resource.ts';
import type { Settings } from '../settings/index.ts';
import type { Store } from '../store/index.ts';
import { runBatch, runOne, type Step } from './batch.ts';
import { textCells } from './cells.ts';
import {
  askedFields,
  askedRelations,
  findRow,
  mayDo,
  ownRows,
  presentRows,
  readByIds,
  readList,
  readOne,
  withheldRecord,
} from './read.ts';
import { marked, requireMatch } from './version.ts';
import { createRecord, deleteRecord, requireOwnRow, updateRecord } from './write.ts';

export interface RecordsParts {
  store: Store;
  settings: Pick<Settings, 'maxRecords'>;
  /** Every resource that is served or reached by a relation, by the name of its declaration. */
  served: Record<string, ServedResource>;
}

export interface Records {
  /** Answers a call on a resource: on the collection, or on one record when the address goes on. */
  handle(call: Call, name: string, id?: string): Promise<Reply>;
}

/** The engine over a store and its resources. */
export function createRecords({ store, settings, served }: RecordsParts): Records {
  const find = (name: string): ServedResource => {
    const resource = served[name];
    if (!resource) throw new Error(`no resource is served under the name ${name}`);
    return resource;
  };
  return {
    async handle(call, name, id) {
      const context: RecordContext = { call, store, db: store.db, served: find, atEnd: new Map() };
      const payload = textCells(call, await call.body());
      // Only a tunnelled GET carries parameters in its body; elsewhere the body is records, whose fields may be called so.
      const query = {
        ...listQuery(call, call.verb === 'GET' ? payload : undefined),
        ids: commaList(call.query.get('ids')),
      };
      const it: Asked = { resource: find(name), context, payload, query, maxRecords: settings.maxRecords };
      return id === undefined ? onCollection(it) : onRecord(it, id);
    },
  };
}

interface Asked {
  resource: ServedResource;
  context: RecordContext;
  payload: unknown;
  query: ListQuery;
  maxRecords: number;
}

async function onRecord(it: Asked, id: string): Promise<Reply> {
  const { resource, context, query, payload } = it;
  switch (context.call.verb) {
    case 'GET': {
      const { answered, row } = await readOne(resource, id, query, context);
      return marked(answer(answered), row);
    }
    case 'POST':
      throw fail('record.createById');
    case 'PUT':
    case 'PATCH': {
      const input = oneRecord(payload);
      await resource.guard?.(context, [input], [id]);
      const { record, row } = await runOne(updateStep(it, id, input), context);
      // The version tells when a record was made and how often it changed.
      return mayDo(context, resource.definition.name, 'GET') ? marked(answer(record), row) : answer(record);
    }
    case 'DELETE':
      return answer((await runOne(deleteStep(it, id), context)).record);
  }
}

async function onCollection(it: Asked): Promise<Reply> {
  switch (it.context.call.verb) {
    case 'GET':
      return answer(await read(it));
    case 'POST':
      return created(await create(it));
    case 'PUT':
    case 'PATCH':
      return answer({ resource: recordsIn(await update(it)) });
    case 'DELETE':
      return answer({ resource: recordsIn(await remove(it)) });
  }
}

function read(it: Asked): Promise<unknown> {
  const { resource, context, query, maxRecords } = it;
  const ids = namedIds(it);
  return ids.length > 0
    ? readByIds(resource, limited(ids), query, context)
    : readList(resource, query, context, maxRecords);
}

async function create(it: Asked): Promise<Written[]> {
  const records = requireRecords(it.payload);
  await it.resource.guard?.(it.context, records, []);
  const steps = records.map((input) => createStep(it, input));
  return runBatch('created', steps, it.query, it.context, recordOf);
}

/** With `ids` the first record is what changes in all of them; without, each record names its own. */
async function update(it: Asked): Promise<Written[]> {
  const records = requireRecords(it.payload);
  const key = it.resource.definition.identifier;
  const changes: [unknown, RecordInput][] = it.query.ids
    ? limited(it.query.ids).map((id) => [id, records[0] as RecordInput])
    : records.map((record) => [record[key], record]);
  await it.resource.guard?.(
    it.context,
    changes.map(([, record]) => record),
    changes.map(([id]) => id),
  );
  const steps = changes.map(([id, input]) => updateStep(it, id, input));
  return runBatch('updated', steps, it.query, it.context, recordOf);
}

async function remove(it: Asked): Promise<Written[]> {
  const { resource, query, context } = it;
  const ids = namedIds(it);
  if (ids.length > 0)
    return runBatch(
      'deleted',
      limited(ids).map((id) => deleteStep(it, id)),
      query,
      context,
      recordOf,
    );
  if (query.filter !== undefined) throw fail('record.byFilter');
  if (!query.force) throw fail('record.noneToDelete');
  // Emptying is one decision: when a record may not go, none does.
  const all = await everyId(resource, context);
  return runBatch(
    'deleted',
    all.map((id) => deleteStep(it, id)),
    { continue: false, rollback: true },
    context,
    recordOf,
  );
}

async function everyId(resource: ServedResource, { db }: RecordContext): Promise<unknown[]> {
  const { identifier } = resource.definition;
  const rows = await ownRows(db, resource).select(identifier).orderBy(identifier).execute();
  return rows.map((row) => row[identifier]);
}

/** The records a call names: by `ids`, else by those of its body. */
const namedIds = ({ resource, query, payload }: Asked): unknown[] =>
  query.ids ?? recordsOf(payload).map((record) => record[resource.definition.identifier]);

/** A list of ids is a batch, with the limit of one. */
const limited = (ids: unknown[]): unknown[] => {
  recordsOf(ids.map(() => ({})));
  return ids;
};

// ---- one record each ----

/** A record as a write answers it, and the row it left. */
interface Written {
  record: WireRecord;
  row: StoredRow;
}

const recordOf = ({ record }: Written): WireRecord => record;
const recordsIn = (written: Written[]): WireRecord[] => written.map(recordOf);

/** Of a single new record the version is told, so that its maker can go on editing. */
function created(written: Written[]): Reply {
  const reply = answer({ resource: recordsIn(written) }, 201);
  return written.length === 1 ? marked(reply, (written[0] as Written).row) : reply;
}

function createStep(it: Asked, input: RecordInput): Step<Written> {
  const { resource } = it;
  const present = writtenShape(it);
  return {
    prepare: async () => (await resource.prepare?.(input)) ?? {},
    async write(prepared, context) {
      const id = await createRecord(resource, input, prepared, context);
      return present(await findRow(context.db, resource, id), input, context);
    },
  };
}

function updateStep(it: Asked, raw: unknown, input: RecordInput): Step<Written> {
  const { resource } = it;
  const present = writtenShape(it);
  return {
    prepare: async () => (await resource.prepare?.(input)) ?? {},
    async write(prepared, context) {
      requireId(resource, raw);
      const row = await requireOwnRow(resource, raw, 'update', context);
      requireMatch(context.call, row);
      await updateRecord(resource, row, input, prepared, context);
      const id = row[resource.definition.identifier] as RecordId;
      return present(await findRow(context.db, resource, id), input, context);
    },
  };
}

function deleteStep(it: Asked, raw: unknown): Step<Written> {
  const { resource } = it;
  const present = writtenShape(it);
  return {
    prepare: async () => ({}),
    async write(_, context) {
      requireId(resource, raw);
      const row = await requireOwnRow(resource, raw, 'delete', context);
      requireMatch(context.call, row);
      const written = await present(row, {}, context);
      await deleteRecord(resource, row, context);
      return written;
    },
  };
}

function requireId({ definition }: ServedResource, raw: unknown): void {
  if (raw === undefined || raw === null || raw === '') throw fail('record.idEmpty', { field: definition.identifier });
}

/**
 * What a write answers: the identifier, or the record when `fields` or `related` ask for it. To whoever may not read the
 * resource no more than they sent (docs/design.md, difference 16).
 */
function writtenShape({ resource, query, context }: Asked) {
  const { definition } = resource;
  const key = definition.identifier;
  const mayRead = mayDo(context, definition.name, 'GET');
  const relations = mayRead ? askedRelations(resource, query.related, context) : [];
  const isFetched = query.fields !== undefined || relations.length > 0;
  const fields = askedFields(resource, query.fields, [key]);
  return async (row: StoredRow | undefined, input: RecordInput, inside: RecordContext): Promise<Written> => {
    if (!row) throw new Error('a record that was just written is not there');
    if (!isFetched) return { record: { [key]: row[key] }, row };
    const [record] = await presentRows(resource, [row], { fields, relations }, inside);
    return { record: mayRead ? record! : withheldRecord(resource, record!, row, input), row };
  };
}
