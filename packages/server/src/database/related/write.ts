// A record with related ones inside it becomes one unit of writes: done all or none, in the order the keys need
// (contract/database-tables.md §6.3). Every step has to be allowed on its own table, as a call there would be.
import { batchLimit, Failure, fail, type RelationDescription, truthy, type Verb } from '@sluice/contract';
import { type BoundFilter, type Column, FromStep, pause, type Row, type Table, type Write } from '@sluice/sql';
import { parseJson } from '../../call/formats/json.ts';
import { isRecord, type RecordInput } from '../../call/payload.ts';
import { columnValues } from '../record/column-values.ts';
import { type Key, recordNotFound, whereKey } from '../record/identify.ts';
import { buildWrite, insertValues, updateValues, type WriteRequest } from '../record/record.ts';
import {
  type AuthorizedStep,
  type AuthorizedUnit,
  type AuthorizedWrite,
  authorizeWrite,
} from '../record-filter/scoped-database.ts';
import type { TableCall } from '../table/table-call.ts';
import { authorizePropagation, isUnsentNonKey, propagatedValue } from './propagated-values.ts';
import {
  hasCountedKey,
  hasFields,
  isUnlinked,
  type JoinValues,
  joinValuesOf,
  keyOfInput,
  requireCountedKey,
  requireRecordInputs,
} from './related-input.ts';
import {
  findRelation,
  type Relation,
  type RelationEnd,
  relationName,
  requireAccess,
  resolveRelation,
  type TableAccess,
} from './relation.ts';

/** Whether any of the records holds related ones. */
export function holdsRelated(table: Table, records: readonly RecordInput[]): boolean {
  if (table.description.related.length === 0) return false;
  const find = findRelation(table);
  return records.some((record) => Object.keys(record).some((key) => find(key) !== undefined));
}

/**
 * Builds units for the records of one call. Throws what is wrong with a record or those inside it: then nothing of it was
 * written.
 */
export class NestedWriter {
  private readonly rootCall: TableCall;
  private readonly mayDeleteRelated: boolean;
  private readonly relations = new Map<RelationDescription, Promise<Relation>>();
  private readonly accessByTable = new Map<string, Promise<TableAccess>>();
  private stepCount = 0;

  constructor(tableCall: TableCall) {
    this.rootCall = tableCall;
    this.mayDeleteRelated = truthy(tableCall.call.query.get('allow_related_delete'));
  }

  async buildUnit(record: RecordInput, request: WriteRequest): Promise<AuthorizedUnit> {
    const steps: AuthorizedStep[] = [];
    const buildStep = (joinValues: Row, returning: Column[]) =>
      authorizeWrite(this.rootCall.database, buildWrite(this.rootCall, record, request, joinValues, returning));
    const main = await this.addRecord(steps, this.rootCall, record, buildStep, request);
    return { kind: 'unit', steps, main };
  }

  /** Adds the steps of a record and of those inside it; answers the position of its own. */
  private async addRecord(
    steps: AuthorizedStep[],
    tableCall: TableCall,
    record: RecordInput,
    buildStep: (joinValues: Row, returning: Column[]) => AuthorizedWrite,
    identity: { key?: Column[]; id?: Key; returning?: Column[]; propagated?: Column[] },
    wrap?: WrapFailure,
  ): Promise<number> {
    const nested = await this.findNested(tableCall, record);
    const joinValues: Row = {};
    for (const { relation, value } of nested.filter(({ relation }) => relation.kind === 'belongs_to'))
      await withRelationFailure('related.parent', async (wrapParent) => {
        const values = await this.addParent(steps, relation, value, wrapParent);
        for (const [index, joinValue] of values.entries()) joinValues[relation.localColumns[index]!.name] = joinValue;
      });
    const children = nested.filter(({ relation }) => relation.kind !== 'belongs_to');
    const localColumns = children.flatMap(({ relation }) => relation.localColumns);
    const authorized = buildStep(joinValues, [...new Set([...(identity.returning ?? []), ...localColumns])]);
    const propagatesUnsent =
      localColumns.some((column) =>
        isUnsentNonKey(tableCall.table, column, joinValueOf(column, authorized, identity, 0)),
      ) ||
      identity.propagated?.some((column) =>
        isUnsentNonKey(tableCall.table, column, propagatedValue(column, authorized)),
      );
    const write = propagatesUnsent ? authorizePropagation(tableCall, authorized) : authorized;
    const position = this.addStep(steps, write, wrap);
    await pause();
    for (const { relation, value } of children) {
      const localValues = relation.localColumns.map((column) => joinValueOf(column, write, identity, position));
      if (localValues.includes(null)) throw fail('related.noLocal', { table: tableCall.table.name });
      if (relation.junction)
        await withRelationFailure('related.map', (wrapMap) =>
          this.addMapped(steps, relation, tableCall, localValues, value, wrapMap),
        );
      else
        await withRelationFailure('related.children', (wrapChildren) =>
          this.addChildren(steps, relation, localValues, value, wrapChildren),
        );
    }
    return position;
  }

  /** The relations whose records are inside a record. */
  private async findNested({ parts, table }: TableCall, record: RecordInput) {
    const find = findRelation(table);
    const input = new Map<RelationDescription, unknown>();
    for (const name of Object.keys(record)) {
      const description = find(name);
      if (!description) continue;
      const exactName = relationName(description);
      if (exactName === name || !Object.hasOwn(record, exactName)) input.set(description, record[name]);
    }
    const nested: { relation: Relation; value: unknown }[] = [];
    for (const description of table.description.related) {
      const value = input.get(description);
      // An empty cell of a file says nothing of the relation.
      if (value === undefined || value === '') continue;
      const relation = await this.memoize(this.relations, description, () =>
        resolveRelation(parts, table, description),
      );
      for (const { parts: otherParts } of [relation.target, relation.junction ?? relation.target])
        if (otherParts !== this.rootCall.parts) throw fail('related.writeElsewhere', { relation: relation.name });
      // A table of texts, such as CSV, holds records as JSON.
      nested.push({ relation, value: typeof value === 'string' ? parseJson(value) : value });
    }
    return nested;
  }

  // ---- belongs_to: the record this one points to ----

  /** Answers the values for the fields that point to the parent; none leave them as they are. */
  private async addParent(
    steps: AuthorizedStep[],
    { name, target }: Relation,
    value: unknown,
    wrap: WrapFailure,
  ): Promise<unknown[]> {
    if (value === null) return [];
    if (!isRecord(value)) throw fail('related.notRecord', { relation: name });
    const key = keyOfInput(target.table, value);
    if (key && (await this.exists(target, key))) {
      if (hasFields(target.table, value))
        await this.addUpdate(steps, target, value, key, {}, recordNotFound(key), [], wrap);
      return [];
    }
    if (!key) requireCountedKey(target.table, value);
    const position = await this.addInsert(steps, target, value, {}, [...target.columns], wrap);
    return target.columns.map((column) => new FromStep(position, column));
  }

  private async exists(target: RelationEnd, key: Key): Promise<boolean> {
    const { database } = await this.accessTo(target, 'GET');
    const { table } = target;
    const where = whereKey(table.key, key);
    const rows = await database.select({ table, columns: table.key, where, limit: 1 }, this.rootCall.shortRunOptions);
    return rows.count > 0;
  }

  // ---- has_one and has_many: records that point here ----

  private async addChildren(
    steps: AuthorizedStep[],
    relation: Relation,
    localValues: unknown[],
    value: unknown,
    wrap: WrapFailure,
  ) {
    const isOne = relation.kind === 'has_one';
    if (isOne && (value === null || (Array.isArray(value) && value.length === 0)))
      return this.addUnlink(steps, relation.target, [], whereKey(relation.target.columns, localValues), wrap);
    for (const child of requireRecordInputs(relation.name, value))
      await this.addChild(steps, relation, localValues, child, wrap);
  }

  private async addChild(
    steps: AuthorizedStep[],
    { target }: Relation,
    localValues: unknown[],
    child: RecordInput,
    wrap: WrapFailure,
  ) {
    const { table, columns } = target;
    const join = joinValuesOf(columns, localValues);
    const key = keyOfInput(table, child, join);
    const joinValues = rowOf(join);
    if (!key) {
      requireCountedKey(table, child, join);
      return void (await this.addInsert(steps, target, child, joinValues, [], wrap));
    }
    const input = columnValues(table, child);
    const nulls = columns.filter((column) => input.get(column) === null);
    if (nulls.length > 0) {
      const where = whereKey([...table.key, ...columns], [...key, ...localValues]);
      return this.addUnlink(steps, target, nulls, where, wrap);
    }
    // A column of the key that holds a join value is not counted up, even one with a counter.
    const isCounted = table.key.some((column) => column.description.auto_increment && !columns.includes(column));
    const isWithinKey = columns.every((column) => table.key.includes(column));
    const isAdopted = isCounted || (!isWithinKey && !hasFields(table, child, columns));
    await this.addUpdate(steps, target, child, key, joinValues, isAdopted ? recordNotFound(key) : 'insert', [], wrap);
  }

  /**
   * Unlinks a record; one that cannot be without its parent is deleted, where the caller said so. Of several columns one
   * null is enough to point nowhere: those sent as null become it where they can, else all that can.
   */
  private async addUnlink(
    steps: AuthorizedStep[],
    target: RelationEnd,
    nulls: readonly Column[],
    where: BoundFilter,
    wrap: WrapFailure,
  ): Promise<void> {
    const { table, columns } = target;
    const unlinked = columnsToNull(table, nulls) ?? columnsToNull(table, columns);
    if (unlinked) {
      const values = Object.fromEntries(unlinked.map(({ name }) => [name, null]));
      await this.addWrite(steps, target, 'PATCH', { kind: 'update', table, values, where, returning: [] }, wrap);
      return;
    }
    if (!this.mayDeleteRelated) throw fail('field.null', { field: (nulls[0] ?? columns[0]!).name });
    await this.addWrite(steps, target, 'DELETE', { kind: 'delete', table, where, returning: [] }, wrap);
  }

  // ---- many_many: records on the other side of a junction ----

  private async addMapped(
    steps: AuthorizedStep[],
    relation: Relation,
    tableCall: TableCall,
    localValues: unknown[],
    value: unknown,
    wrap: WrapFailure,
  ): Promise<void> {
    const { target, junction } = relation;
    if (!junction) return;
    const localJoin = joinValuesOf(junction.columns, localValues);
    // Where a column of the junction points both ways, the record of the other side has the value of this one.
    const shared = new Map(
      target.columns.flatMap((column, index) => {
        const junctionColumn = junction.farColumns[index]!;
        return localJoin.has(junctionColumn) ? [[column, localJoin.get(junctionColumn)] as const] : [];
      }),
    );
    for (const record of requireRecordInputs(relation.name, value)) {
      const farValues = await this.addFarRecord(steps, target, record, shared, wrap);
      const farJoin = [...joinValuesOf(junction.farColumns, farValues)].filter(([column]) => !localJoin.has(column));
      const join = new Map([...localJoin, ...farJoin]);
      const pair = whereKey([...join.keys()], [...join.values()]);
      const { table } = junction;
      if (isUnlinked(tableCall.table, record)) {
        await this.addWrite(steps, junction, 'DELETE', { kind: 'delete', table, where: pair, returning: [] }, wrap);
        continue;
      }
      const junctionCall = await this.tableCallOn(junction, 'POST');
      const values = insertValues(junctionCall, {}, rowOf(join));
      const missing: Write = { kind: 'insert', table, values, returning: [] };
      await this.addWrite(
        steps,
        junction,
        'POST',
        { kind: 'update', table, values: {}, where: pair, returning: [], missing },
        wrap,
      );
    }
  }

  /** Writes a record of the other side as far as it was sent; answers the values the junction holds of it. */
  private async addFarRecord(
    steps: AuthorizedStep[],
    target: RelationEnd,
    record: RecordInput,
    shared: JoinValues,
    wrap: WrapFailure,
  ): Promise<unknown[]> {
    const { table } = target;
    const columns = [...target.columns];
    const fromStep = (position: number) => columns.map((column) => new FromStep(position, column));
    const key = keyOfInput(table, record, shared);
    if (!key) {
      requireCountedKey(table, record, shared);
      return fromStep(await this.addInsert(steps, target, record, rowOf(shared), columns, wrap));
    }
    // One that has another value there than this side is not found. A key that was completed with the value has it.
    const input = columnValues(table, record);
    const checked = [...shared].filter(([column]) => !table.key.includes(column) || input.has(column));
    const isKey = columns.length === table.key.length && columns.every((column) => table.key.includes(column));
    if (isKey && checked.length === 0 && !hasFields(table, record))
      return columns.map((column) => key[table.key.indexOf(column)]);
    const missing = hasCountedKey(table) || checked.length > 0 ? recordNotFound(key) : 'insert';
    const position = await this.addUpdate(steps, target, record, key, {}, missing, columns, wrap, new Map(checked));
    return fromStep(position);
  }

  // ---- steps ----

  private async addInsert(
    steps: AuthorizedStep[],
    target: RelationEnd,
    record: RecordInput,
    joinValues: Row,
    returning: Column[],
    wrap: WrapFailure,
  ): Promise<number> {
    const tableCall = await this.tableCallOn(target, 'POST');
    const buildStep = (parentValues: Row, stepReturning: Column[]): AuthorizedWrite =>
      authorizeWrite(tableCall.database, {
        kind: 'insert',
        table: target.table,
        values: insertValues(tableCall, record, { ...joinValues, ...parentValues }),
        returning: stepReturning,
      });
    return this.addRecord(steps, tableCall, record, buildStep, { returning, propagated: returning }, wrap);
  }

  private async addUpdate(
    steps: AuthorizedStep[],
    target: RelationEnd,
    record: RecordInput,
    id: Key,
    joinValues: Row,
    missing: Failure | 'insert',
    returning: Column[],
    wrap: WrapFailure,
    checked: JoinValues = new Map(),
  ): Promise<number> {
    const { table } = target;
    const updateCall = await this.tableCallOn(target, 'PATCH');
    const insertCall = missing === 'insert' ? await this.tableCallOn(target, 'POST') : undefined;
    const buildStep = (parentValues: Row, stepReturning: Column[]): AuthorizedWrite => {
      const allJoinValues = { ...joinValues, ...parentValues };
      const values = updateValues(updateCall, record, table.key, allJoinValues);
      const where = whereKey([...table.key, ...checked.keys()], [...id, ...checked.values()]);
      const write: Write = { kind: 'update', table, values, where, returning: stepReturning };
      if (!insertCall) return authorizeWrite(updateCall.database, { ...write, missing: missing as Failure });
      const keyValues = Object.fromEntries(table.key.map(({ name }, index) => [name, id[index]]));
      const insert = authorizeWrite(insertCall.database, {
        kind: 'insert',
        table,
        values: insertValues(insertCall, record, { ...keyValues, ...allJoinValues }),
        returning: stepReturning,
      });
      const ifMissing =
        insert.kind === 'refuse' ? insert.failure : insert.kind === 'insert' ? insert : recordNotFound(id);
      return authorizeWrite(updateCall.database, { ...write, missing: ifMissing });
    };
    const identity = { key: table.key, id, returning, propagated: returning };
    return this.addRecord(steps, updateCall, record, buildStep, identity, wrap);
  }

  private async addWrite(
    steps: AuthorizedStep[],
    target: RelationEnd,
    verb: Verb,
    write: Write,
    wrap: WrapFailure,
  ): Promise<void> {
    const { database } = await this.accessTo(target, verb);
    this.addStep(steps, authorizeWrite(database, write), wrap);
  }

  private addStep(steps: AuthorizedStep[], write: AuthorizedWrite, wrap: WrapFailure | undefined): number {
    this.stepCount += 1;
    if (this.stepCount > batchLimit) throw fail('record.batchTooLarge', { limit: batchLimit });
    steps.push({ write, ...(wrap ? { mapFailure: wrap } : {}) });
    return steps.length - 1;
  }

  private async tableCallOn(target: RelationEnd, verb: Verb): Promise<TableCall> {
    return this.rootCall.forTable(target.table, await this.accessTo(target, verb));
  }

  private accessTo(target: RelationEnd, verb: Verb): Promise<TableAccess> {
    return this.memoize(this.accessByTable, `${verb} ${target.table.name}`, () =>
      requireAccess(this.rootCall.call, target, verb),
    );
  }

  private memoize<K, V>(map: Map<K, Promise<V>>, key: K, compute: () => Promise<V>): Promise<V> {
    const promise = map.get(key) ?? compute();
    map.set(key, promise);
    return promise;
  }
}

const rowOf = (join: JoinValues): Row => Object.fromEntries([...join].map(([{ name }, value]) => [name, value]));

/** Those of the columns that can be null, and of them those beside the key if there are any; undefined where none can. */
function columnsToNull({ key }: Table, columns: readonly Column[]): readonly Column[] | undefined {
  const nullable = columns.filter(({ description }) => description.allow_null);
  const beside = nullable.filter((column) => !key.includes(column));
  return [beside, nullable].find(({ length }) => length > 0);
}

/** The value others join a record by: as it is written or in its key, else as the database will return it. */
function joinValueOf(
  column: Column,
  write: Write,
  { key = [], id = [] }: { key?: Column[]; id?: Key },
  position: number,
): unknown {
  const written = write.kind === 'insert' || write.kind === 'update' ? write.values[column.name] : undefined;
  const isPlain = written !== undefined && (written === null || typeof written !== 'object');
  if (isPlain && !(written === null && column.description.auto_increment)) return written;
  const keyIndex = key.indexOf(column);
  return keyIndex >= 0 ? id[keyIndex] : new FromStep(position, column);
}

// ---- failures ----

type WrapFailure = (failure: Failure) => Failure;

/** Names the relation in failures of related records; refused rights and outages stay as they are. */
async function withRelationFailure(
  key: 'related.parent' | 'related.children' | 'related.map',
  addSteps: (wrap: WrapFailure) => Promise<void>,
): Promise<void> {
  const wrap: WrapFailure = (failure) => {
    if (failure.status === 403 || failure.status >= 500) return failure;
    return fail(key, { text: failure.message }, { cause: failure });
  };
  try {
    await addSteps(wrap);
  } catch (error) {
    throw error instanceof Failure ? wrap(error) : error;
  }
}
