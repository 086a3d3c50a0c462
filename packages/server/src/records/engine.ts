// The record engine: creates, changes, deletes and reads the records of every declared system resource by one set of
// rules (contract/system-resources.md §0). It knows nothing of HTTP and no resource by name: the actor and the
// request are passed in, what is particular to a resource is in resources/<name>/.
import { fail } from '@sluice/contract';
import { type RecordInput, recordsOf } from '../call/payload.ts';
import type { ChangeNotices } from '../events/changes.ts';
import type {
  Actor,
  RecordContext,
  ServedResource,
  StoredRow,
  WireRecord,
  WriteOptions,
} from '../resource/resource.ts';
import type { Settings } from '../settings/index.ts';
import type { Db, Store } from '../store/index.ts';
import { mayDo } from './access.ts';
import {
  type BatchMode,
  type BatchStep,
  inTransaction,
  type JoinedWork,
  joinTransaction,
  runBatch,
  runOne,
} from './batch.ts';
import type { WriteContext } from './change.ts';
import { type RecordList, type RecordsRequest, readByIds, readList, readOne } from './read.ts';
import { findRow, idOf, selectOwnRows } from './rows.ts';
import { type Selection, selectedFields, selectedRelations, serializeRows, withholdRecord } from './serialize.ts';
import { checkIfMatch, etagOf } from './version.ts';
import { createRecord, deleteRecord, requireOwnRow, updateRecord } from './write.ts';

export interface EngineParts {
  store: Store;
  settings: Pick<Settings, 'maxRecords'>;
  /** Every resource that is served or reached by a relation, by the name of its declaration. */
  resources: Record<string, ServedResource>;
  /** Told of each commit. */
  notices: ChangeNotices;
}

/** On whose behalf the engine works, and in which transaction where one is open already. */
export interface EngineScope {
  actor: Actor;
  transaction?: WriteContext;
}

/** What a write answers of its records, and how several are written. */
export interface WriteRequest extends Selection, BatchMode {
  options?: WriteOptions;
  /** Versions the records may have (version.ts). */
  ifMatch?: string;
}

/** A change of the record with this identifier. */
export interface RecordUpdate {
  id: unknown;
  input: RecordInput;
}

/** A record as a write answers it, and its row. */
export interface WrittenRecord {
  record: WireRecord;
  row: StoredRow;
}

/** One of several records as a write answers them. Its row is gone: thousands of them may be long. */
export interface WrittenOfBatch {
  record: WireRecord;
  /** The entity tag of what was written (version.ts). */
  version: string | undefined;
}

/**
 * Failures are those of the catalogue: `record.notFound`, `record.invalid`, … of one record; of several, the batch error
 * with the outcome of each. Whether the actor may do this on the resource is decided before; what a record leads to
 * (relations, roles that are given) is decided here.
 */
export interface RecordEngine {
  /** A list by filter, order and page. */
  list(resource: string, request: RecordsRequest, scope: EngineScope): Promise<RecordList>;
  /** The records of these identifiers. */
  listByIds(
    resource: string,
    ids: unknown[],
    request: Selection & Pick<RecordsRequest, 'asList'> & Pick<BatchMode, 'continue'>,
    scope: EngineScope,
  ): Promise<RecordList>;
  /** One record, or the value it stands for, and its row. */
  read(
    resource: string,
    id: unknown,
    selection: Selection,
    scope: EngineScope,
  ): Promise<{ answer: unknown; row: StoredRow }>;
  create(resource: string, inputs: RecordInput[], request: WriteRequest, scope: EngineScope): Promise<WrittenOfBatch[]>;
  update(
    resource: string,
    updates: RecordUpdate[],
    request: WriteRequest,
    scope: EngineScope,
  ): Promise<WrittenOfBatch[]>;
  delete(resource: string, ids: unknown[], request: WriteRequest, scope: EngineScope): Promise<WrittenOfBatch[]>;
  /** Writes one record; its own failure is thrown, not that of a batch. */
  createOne(resource: string, input: RecordInput, request: WriteRequest, scope: EngineScope): Promise<WrittenRecord>;
  updateOne(resource: string, update: RecordUpdate, request: WriteRequest, scope: EngineScope): Promise<WrittenRecord>;
  deleteOne(resource: string, id: unknown, request: WriteRequest, scope: EngineScope): Promise<WrittenRecord>;
  /** Deletes every record there is, all or none. */
  deleteAll(resource: string, request: WriteRequest, scope: EngineScope): Promise<WrittenOfBatch[]>;
  /**
   * Runs `work` in one transaction, to be passed on as `scope.transaction` or to write-row.ts: what it wrote is audited,
   * committed and told to every cache when this returns, or none of it.
   */
  transaction<T>(actor: Actor, work: (transaction: WriteContext) => Promise<T>): Promise<T>;
  /**
   * Like `transaction`, inside a transaction of the store that the caller opens and commits: records change together with
   * other rows. The caller publishes afterwards.
   */
  join<T>(actor: Actor, db: Db, work: (transaction: WriteContext) => Promise<T>): Promise<JoinedWork<T>>;
}

export function createRecordEngine({ store, settings, resources, notices }: EngineParts): RecordEngine {
  const resourceOf = (name: string): ServedResource => {
    const resource = resources[name];
    if (!resource) throw new Error(`no resource is served under the name ${name}`);
    return resource;
  };
  const contextOf = ({ actor, transaction }: EngineScope, options: WriteOptions = {}): RecordContext =>
    transaction
      ? { ...transaction, actor, options, answered: { bytes: 0 } }
      : {
          ...{ actor, options, store, db: store.db, resourceOf, deferredChecks: new Map(), answered: { bytes: 0 } },
          notices,
        };

  const startWrite = (name: string, request: WriteRequest, scope: EngineScope): ResourceWrite => {
    const resource = resourceOf(name);
    const context = contextOf(scope, request.options);
    return { resource, request, context, serialize: writtenSerializer(resource, request, context) };
  };
  const startBatch = async (
    name: string,
    inputs: RecordInput[],
    ids: unknown[],
    request: WriteRequest,
    scope: EngineScope,
  ): Promise<ResourceWrite> => {
    const write = startWrite(name, request, scope);
    await write.resource.beforeBatch?.(write.context, inputs, ids);
    return write;
  };

  return {
    list: (name, request, scope) => readList(resourceOf(name), request, contextOf(scope), settings.maxRecords),
    listByIds: (name, ids, request, scope) => readByIds(resourceOf(name), limitBatch(ids), request, contextOf(scope)),
    read: (name, id, selection, scope) => readOne(resourceOf(name), id, selection, contextOf(scope)),

    async create(name, inputs, request, scope) {
      const write = await startBatch(name, inputs, [], request, scope);
      const steps = inputs.map((input) => withoutRow(createStep(write, input)));
      return runBatch('created', steps, request, write.context, recordIn);
    },
    async createOne(name, input, request, scope) {
      const write = await startBatch(name, [input], [], request, scope);
      return runOne(createStep(write, input), write.context);
    },
    async update(name, updates, request, scope) {
      const inputs = limitBatch(updates).map(({ input }) => input);
      const ids = updates.map(({ id }) => id);
      const write = await startBatch(name, inputs, ids, request, scope);
      const steps = updates.map((update) => withoutRow(updateStep(write, update)));
      return runBatch('updated', steps, request, write.context, recordIn);
    },
    async updateOne(name, update, request, scope) {
      const write = await startBatch(name, [update.input], [update.id], request, scope);
      return runOne(updateStep(write, update), write.context);
    },
    async delete(name, ids, request, scope) {
      const write = startWrite(name, request, scope);
      const steps = limitBatch(ids).map((id) => withoutRow(deleteStep(write, id)));
      return runBatch('deleted', steps, request, write.context, recordIn);
    },
    async deleteOne(name, id, request, scope) {
      const write = startWrite(name, request, scope);
      return runOne(deleteStep(write, id), write.context);
    },
    async deleteAll(name, request, scope) {
      const write = startWrite(name, request, scope);
      const steps = (await readEveryId(write)).map((id) => withoutRow(deleteStep(write, id)));
      // Emptying is one decision: when one record may not be deleted, none is.
      return runBatch('deleted', steps, { continue: false, rollback: true }, write.context, recordIn);
    },
    transaction: (actor, work) => inTransaction(contextOf({ actor }), work),
    join: (actor, db, work) => joinTransaction(contextOf({ actor }), db, work),
  };
}

const recordIn = ({ record }: WrittenOfBatch): WireRecord => record;

const withoutRow = ({ prepare, write }: BatchStep<WrittenRecord>): BatchStep<WrittenOfBatch> => ({
  prepare,
  async write(prepared, context) {
    const { record, row } = await write(prepared, context);
    return { record, version: etagOf(row) };
  },
});

/** A list of records is a batch, with the limit of one. */
function limitBatch<T>(items: T[]): T[] {
  recordsOf(items.map(() => ({})));
  return items;
}

async function readEveryId({ resource, context }: ResourceWrite): Promise<unknown[]> {
  const { identifier } = resource.definition;
  const rows = await selectOwnRows(context.db, resource).select(identifier).orderBy(identifier).execute();
  return rows.map((row) => row[identifier]);
}

// ---- one record each ----

/** A write of records of one resource. */
interface ResourceWrite {
  resource: ServedResource;
  request: WriteRequest;
  context: RecordContext;
  serialize: WrittenSerializer;
}

function createStep(write: ResourceWrite, input: RecordInput): BatchStep<WrittenRecord> {
  const { resource, serialize } = write;
  return {
    prepare: async () => (await resource.prepare?.(input)) ?? {},
    async write(prepared, context) {
      const id = await createRecord(resource, input, prepared, context);
      return serialize(await findRow(context.db, resource, id), input, context);
    },
  };
}

function updateStep(write: ResourceWrite, { id, input }: RecordUpdate): BatchStep<WrittenRecord> {
  const { resource, request, serialize } = write;
  return {
    prepare: async () => (await resource.prepare?.(input)) ?? {},
    async write(prepared, context) {
      requireId(resource, id);
      const row = await requireOwnRow(resource, id, 'update', context);
      checkIfMatch(request.ifMatch, row);
      await updateRecord(resource, row, input, prepared, context);
      return serialize(await findRow(context.db, resource, idOf(resource, row)), input, context);
    },
  };
}

function deleteStep(write: ResourceWrite, id: unknown): BatchStep<WrittenRecord> {
  const { resource, request, serialize } = write;
  return {
    prepare: async () => ({}),
    async write(_, context) {
      requireId(resource, id);
      const row = await requireOwnRow(resource, id, 'delete', context);
      checkIfMatch(request.ifMatch, row);
      const written = await serialize(row, {}, context);
      await deleteRecord(resource, row, context);
      return written;
    },
  };
}

function requireId({ definition }: ServedResource, id: unknown): void {
  if (id === undefined || id === null || id === '') throw fail('record.idEmpty', { field: definition.identifier });
}

type WrittenSerializer = (
  row: StoredRow | undefined,
  input: RecordInput,
  context: RecordContext,
) => Promise<WrittenRecord>;

/**
 * What a write answers: the identifier, or the record when `fields` or `related` ask for it. Callers who may not read the
 * resource get no more than they sent (docs/design.md, difference 16).
 */
function writtenSerializer(resource: ServedResource, request: WriteRequest, context: RecordContext): WrittenSerializer {
  const { definition } = resource;
  const key = definition.identifier;
  const mayRead = mayDo(context, definition.name, 'GET');
  const relations = mayRead ? selectedRelations(resource, request.related, context) : [];
  const answeredFields = resource.answeredFields?.(context.options) ?? [];
  const isSelected = request.fields !== undefined || relations.length > 0 || answeredFields.length > 0;
  const fields = [...selectedFields(resource, request.fields, [key]), ...answeredFields];
  return async (row, input, transaction) => {
    if (!row) throw new Error('a record that was just written is not there');
    if (!isSelected) return { record: { [key]: row[key] }, row };
    const [record] = await serializeRows(resource, [row], { fields, relations }, transaction);
    return { record: mayRead ? record! : withholdRecord(resource, record!, row, input), row };
  };
}
