// A record with related ones inside it becomes one unit of writes: done all or none, in the order the keys need
// (contract/database-tables.md §6.3). Every step has to be allowed on its own table, as a call there would be.
import { batchLimit, Failure, fail, type RelationDescription, truthy, type Verb } from '@sluice/contract';
import { type BoundFilter, type Column, FromStep, type Row, type Table, type Write } from '@sluice/sql';
import { parseJson } from '../../call/formats/json.ts';
import { fieldsOf, isRecord, type RecordInput } from '../../call/payload.ts';
import { type Key, recordNotFound, whereKey } from '../record/identify.ts';
import { insertValues, type RecordWrite, updateValues, writeOf } from '../record/record.ts';
import {
  type AuthorizedStep,
  type AuthorizedUnit,
  type AuthorizedWrite,
  authorizeWrite,
} from '../record-filter/scoped-database.ts';
import type { TableCall } from '../table/table-call.ts';
import { handingOn, isUnsent, onwardValue } from './handed-on.ts';
import { accessTo, nameOf, type Relation, relationOf, type Side, type SideAccess } from './reach.ts';
import { hasFields, isCounted, isLetGo, keyIn, mustCountKeys, recordsIn } from './sent.ts';

/** Whether any of the records holds related ones. */
export function holdsRelated(table: Table, records: readonly RecordInput[]): boolean {
  const { related } = table.description;
  if (related.length === 0) return false;
  const names = new Set(related.map((it) => nameOf(it).toLowerCase()));
  return records.some((record) => Object.keys(record).some((key) => names.has(key.toLowerCase())));
}

/**
 * Makes units for the records of one call. Throws what is wrong with a record, its related ones included: then nothing
 * of it was written.
 */
export class Nesting {
  private readonly it: TableCall;
  private readonly mayDelete: boolean;
  private readonly relations = new Map<RelationDescription, Promise<Relation>>();
  private readonly access = new Map<string, Promise<SideAccess>>();
  private count = 0;

  constructor(it: TableCall) {
    this.it = it;
    this.mayDelete = truthy(it.call.query.get('allow_related_delete'));
  }

  async unit(record: RecordInput, how: RecordWrite): Promise<AuthorizedUnit> {
    const steps: AuthorizedStep[] = [];
    const make = (given: Row, returning: Column[]) =>
      authorizeWrite(this.it.database, writeOf(this.it, record, how, given, returning));
    const main = await this.record(steps, this.it, record, make, how);
    return { kind: 'unit', steps, main };
  }

  /** Adds the steps of a record and of those inside it; answers the place of its own. */
  private async record(
    steps: AuthorizedStep[],
    it: TableCall,
    record: RecordInput,
    make: (given: Row, returning: Column[]) => AuthorizedWrite,
    known: { key?: Column[]; id?: Key; returning?: Column[]; onward?: Column[] },
    refused?: (failure: Failure) => Failure,
  ): Promise<number> {
    const nested = await this.nested(it, record);
    const given: Row = {};
    for (const { relation, value } of nested.filter(({ relation }) => relation.kind === 'belongs_to'))
      await around('related.parent', async (wrap) => {
        const joined = await this.parent(steps, relation, value, wrap);
        if (joined !== undefined) given[relation.local.name] = joined;
      });
    const below = nested.filter(({ relation }) => relation.kind !== 'belongs_to');
    const locals = below.map(({ relation }) => relation.local);
    const made = make(given, [...new Set([...(known.returning ?? []), ...locals])]);
    const isHandedOn =
      locals.some((local) => isUnsent(it.table, local, joiningValue(local, made, known, 0))) ||
      known.onward?.some((column) => isUnsent(it.table, column, onwardValue(column, made)));
    const write = isHandedOn ? handingOn(it, made) : made;
    const at = this.add(steps, write, refused);
    for (const { relation, value } of below) {
      const local = joiningValue(relation.local, write, known, at);
      if (local === null) throw fail('related.noLocal', { table: it.table.name });
      if (relation.junction)
        await around('related.map', (wrap) => this.mapped(steps, relation, it, local, value, wrap));
      else await around('related.children', (wrap) => this.children(steps, relation, local, value, wrap));
    }
    return at;
  }

  /** The relations whose records are inside a record. */
  private async nested({ parts, table }: TableCall, record: RecordInput) {
    const sent = fieldsOf(record);
    const found: { relation: Relation; value: unknown }[] = [];
    for (const description of table.description.related) {
      const value = sent.get(nameOf(description).toLowerCase());
      // An empty cell of a file, where nothing is said of the relation.
      if (value === undefined || value === '') continue;
      const relation = await this.kept(this.relations, description, () => relationOf(parts, table, description));
      for (const { parts: other } of [relation.target, relation.junction ?? relation.target])
        if (other !== this.it.parts) throw fail('related.writeElsewhere', { relation: relation.name });
      // A table of texts, such as CSV, holds records as JSON.
      found.push({ relation, value: typeof value === 'string' ? parseJson(value) : value });
    }
    return found;
  }

  // ---- belongs_to: the record this one points to ----

  /** Answers what the pointing field is to hold; undefined leaves it as it is. */
  private async parent(
    steps: AuthorizedStep[],
    { name, target }: Relation,
    value: unknown,
    wrap: Wrap,
  ): Promise<unknown> {
    if (value === null) return undefined;
    if (!isRecord(value)) throw fail('related.notRecord', { relation: name });
    const key = keyIn(target.table, value);
    if (key && (await this.exists(target, key))) {
      if (hasFields(target.table, value))
        await this.update(steps, target, value, key, {}, recordNotFound(key), [], wrap);
      return undefined;
    }
    if (!key) mustCountKeys(target.table);
    const at = await this.insert(steps, target, value, {}, [target.column], wrap);
    return new FromStep(at, target.column);
  }

  private async exists(target: Side, key: Key): Promise<boolean> {
    const { database } = await this.allowed(target, 'GET');
    const { table } = target;
    const where = whereKey(table.key, key);
    const rows = await database.select({ table, columns: table.key, where, limit: 1 }, this.it.unwatched);
    return rows.count > 0;
  }

  // ---- has_one and has_many: records that point here ----

  private async children(steps: AuthorizedStep[], relation: Relation, local: unknown, value: unknown, wrap: Wrap) {
    const isOne = relation.kind === 'has_one';
    if (isOne && (value === null || (Array.isArray(value) && value.length === 0)))
      return this.disown(steps, relation.target, whereKey([relation.target.column], [local]), wrap);
    for (const child of recordsIn(relation.name, value)) await this.child(steps, relation, local, child, wrap);
  }

  private async child(steps: AuthorizedStep[], { target }: Relation, local: unknown, child: RecordInput, wrap: Wrap) {
    const { table, column } = target;
    const key = keyIn(table, child, { column, value: local });
    const join: Row = { [column.name]: local };
    if (!key) {
      mustCountKeys(table);
      return void (await this.insert(steps, target, child, join, [], wrap));
    }
    if (fieldsOf(child).get(column.name.toLowerCase()) === null)
      return this.disown(steps, target, whereKey([...table.key, column], [...key, local]), wrap);
    // A key that holds what joins is not counted up, whatever the database says.
    const counts = !table.key.includes(column) && isCounted(table);
    const isAdopted = counts || (!table.key.includes(column) && !hasFields(table, child, column));
    await this.update(steps, target, child, key, join, isAdopted ? recordNotFound(key) : 'insert', [], wrap);
  }

  /** Lets a record go; one that can not be without its parent is deleted, where the caller said so. */
  private async disown(steps: AuthorizedStep[], target: Side, where: BoundFilter, wrap: Wrap): Promise<void> {
    const { table, column } = target;
    if (column.description.allow_null) {
      const values = { [column.name]: null };
      await this.step(steps, target, 'PATCH', { kind: 'update', table, values, where, returning: [] }, wrap);
      return;
    }
    if (!this.mayDelete) throw fail('field.null', { field: column.name });
    await this.step(steps, target, 'DELETE', { kind: 'delete', table, where, returning: [] }, wrap);
  }

  // ---- many_many: records on the other side of a junction ----

  private async mapped(
    steps: AuthorizedStep[],
    relation: Relation,
    it: TableCall,
    local: unknown,
    value: unknown,
    wrap: Wrap,
  ): Promise<void> {
    const { target, junction } = relation;
    if (!junction) return;
    for (const other of recordsIn(relation.name, value)) {
      const sent = fieldsOf(other);
      const far = await this.other(steps, target, other, wrap);
      const pair = whereKey([junction.column, junction.far], [local, far]);
      const { table } = junction;
      if (isLetGo(it.table, sent)) {
        await this.step(steps, junction, 'DELETE', { kind: 'delete', table, where: pair, returning: [] }, wrap);
        continue;
      }
      const call = await this.callOn(junction, 'POST');
      const values = insertValues(call, {}, { [junction.column.name]: local, [junction.far.name]: far });
      const missing: Write = { kind: 'insert', table, values, returning: [] };
      await this.step(
        steps,
        junction,
        'POST',
        { kind: 'update', table, values: {}, where: pair, returning: [], missing },
        wrap,
      );
    }
  }

  /** Writes a record of the other side as far as it was sent; answers what the junction is to hold of it. */
  private async other(steps: AuthorizedStep[], target: Side, other: RecordInput, wrap: Wrap): Promise<unknown> {
    const { table, column } = target;
    const key = keyIn(table, other);
    if (!key) {
      mustCountKeys(table);
      return new FromStep(await this.insert(steps, target, other, {}, [column], wrap), column);
    }
    const isKey = table.key.length === 1 && table.key[0] === column;
    if (isKey && !hasFields(table, other)) return key[0];
    const missing = isCounted(table) ? recordNotFound(key) : 'insert';
    return new FromStep(await this.update(steps, target, other, key, {}, missing, [column], wrap), column);
  }

  // ---- steps ----

  private async insert(
    steps: AuthorizedStep[],
    side: Side,
    record: RecordInput,
    given: Row,
    returning: Column[],
    wrap: Wrap,
  ): Promise<number> {
    const call = await this.callOn(side, 'POST');
    const make = (parents: Row, more: Column[]): AuthorizedWrite =>
      authorizeWrite(call.database, {
        kind: 'insert',
        table: side.table,
        values: insertValues(call, record, { ...given, ...parents }),
        returning: more,
      });
    return this.record(steps, call, record, make, { returning, onward: returning }, wrap);
  }

  private async update(
    steps: AuthorizedStep[],
    side: Side,
    record: RecordInput,
    id: Key,
    given: Row,
    missing: Failure | 'insert',
    returning: Column[],
    wrap: Wrap,
  ): Promise<number> {
    const { table } = side;
    const call = await this.callOn(side, 'PATCH');
    const inserting = missing === 'insert' ? await this.callOn(side, 'POST') : undefined;
    const make = (parents: Row, more: Column[]): AuthorizedWrite => {
      const all = { ...given, ...parents };
      const values = updateValues(call, record, table.key, all);
      const write: Write = { kind: 'update', table, values, where: whereKey(table.key, id), returning: more };
      if (!inserting) return authorizeWrite(call.database, { ...write, missing: missing as Failure });
      const keys = Object.fromEntries(table.key.map(({ name }, at) => [name, id[at]]));
      const made = authorizeWrite(inserting.database, {
        kind: 'insert',
        table,
        values: insertValues(inserting, record, { ...keys, ...all }),
        returning: more,
      });
      const instead = made.kind === 'refuse' ? made.failure : made.kind === 'insert' ? made : recordNotFound(id);
      return authorizeWrite(call.database, { ...write, missing: instead });
    };
    return this.record(steps, call, record, make, { key: table.key, id, returning, onward: returning }, wrap);
  }

  private async step(steps: AuthorizedStep[], side: Side, verb: Verb, write: Write, wrap: Wrap): Promise<void> {
    const { database } = await this.allowed(side, verb);
    this.add(steps, authorizeWrite(database, write), wrap);
  }

  private add(steps: AuthorizedStep[], write: AuthorizedWrite, refused: Wrap | undefined): number {
    this.count += 1;
    if (this.count > batchLimit) throw fail('record.batchTooLarge', { limit: batchLimit });
    steps.push({ write, ...(refused ? { refused } : {}) });
    return steps.length - 1;
  }

  private async callOn(side: Side, verb: Verb): Promise<TableCall> {
    return this.it.on(side.table, await this.allowed(side, verb));
  }

  private allowed(side: Side, verb: Verb): Promise<SideAccess> {
    return this.kept(this.access, `${verb} ${side.table.name}`, () => accessTo(this.it.call, side, verb));
  }

  private kept<K, V>(map: Map<K, Promise<V>>, key: K, make: () => Promise<V>): Promise<V> {
    const known = map.get(key) ?? make();
    map.set(key, known);
    return known;
  }
}

/** The value others join a record by: as it is written or known, else as the database will tell. */
function joiningValue(
  column: Column,
  write: Write,
  { key = [], id = [] }: { key?: Column[]; id?: Key },
  at: number,
): unknown {
  const written = write.kind === 'insert' || write.kind === 'update' ? write.values[column.name] : undefined;
  const isPlain = written !== undefined && (written === null || typeof written !== 'object');
  if (isPlain && !(written === null && column.description.auto_increment)) return written;
  const place = key.indexOf(column);
  return place >= 0 ? id[place] : new FromStep(at, column);
}

// ---- what went wrong ----

type Wrap = (failure: Failure) => Failure;

/** Says of what is wrong with related records in which relation it was; refused rights and outages stay what they are. */
async function around(
  key: 'related.parent' | 'related.children' | 'related.map',
  work: (wrap: Wrap) => Promise<void>,
): Promise<void> {
  const wrap: Wrap = (failure) => {
    if (failure.status === 403 || failure.status >= 500) return failure;
    return fail(key, { text: failure.message }, { cause: failure });
  };
  try {
    await work(wrap);
  } catch (error) {
    throw error instanceof Failure ? wrap(error) : error;
  }
}
