// Extras in the form that tables are overridden with.
import type { FieldDescription, MaybePromise, RelationDescription, RelationKind, SimpleType } from '@sluice/contract';
import { labelOf, nameIndex, type Table } from '@sluice/sql';
import type { Call } from '../../call/call.ts';
import type { Db } from '../../store/index.ts';
import type { MovedTable } from '../usage/index.ts';
import {
  type ExtrasChange,
  extrasTables,
  type FieldRow,
  type RelationRow,
  rowsOf,
  type StoredExtras,
  type TableRow,
  type VirtualRow,
} from './rows.ts';

export interface Extras {
  /** Nothing is said of any table. */
  isEmpty: boolean;
  /** The real name of the table of an alias, as written or in any case. */
  tableOfAlias(alias: string): string | undefined;
  /** What is said of the table of a real name itself. */
  row(table: string): TableRow | undefined;
  /** All that is said of it and its fields and relations; undefined where nothing is. */
  table(table: string): TableExtras | undefined;
  /** Table of the database → the same with these overrides. */
  overriddenTables: WeakMap<Table, Table>;
}

export interface TableExtras {
  row?: TableRow;
  /** By real name. */
  fields: Map<string, FieldExtras>;
  /** By automatic name. */
  relations: Map<string, RelationRow>;
  virtual: RelationDescription[];
}

export interface FieldExtras
  extends Pick<
    FieldDescription,
    'alias' | 'description' | 'picklist' | 'validation' | 'db_function' | 'is_virtual' | 'is_aggregate'
  > {
  label: string | null;
  extraType: SimpleType | null;
}

/** The extras of one service, wherever they are stored. */
export interface ServiceExtras {
  /** Without waiting when they were read before. */
  current(): MaybePromise<Extras>;
  /**
   * Changes them while nobody else does: `plan` gets what is stored and answers the changes. They are in effect in every
   * process when it returns. What `plan` and `follow` throw leaves all as it was.
   */
  change(call: ChangeActor, plan: ExtrasPlan, follow: FollowMoves): Promise<void>;
  /**
   * Keeps what changes with the database until that has committed; nothing else is changed yet. Throws what the plan throws,
   * and what could not be saved now.
   */
  prepareSchemaChange(
    call: ChangeActor,
    plan: ExtrasPlan,
    facts: SchemaChangeFacts,
    describe: RecordChanges,
    follow: FollowMoves,
  ): Promise<PreparedChange>;
  /** Changes that were prepared and neither finished nor cancelled, and that this process is not making; oldest first. */
  unfinished(): Promise<UnfinishedChange[]>;
  /** What `plan` would answer or throw now; changes nothing. */
  check(plan: ExtrasPlan): Promise<PlannedExtras>;
  /** Tells every process that the database was changed: what was read of its schema is dropped. */
  announceSchemaChange(): Promise<void>;
  /** Sets what is called when another process changed the database; it comes before the extras that were read after that. */
  onSchemaChange(listener: () => void): void;
  /** Sets what is called when other extras are read than before. */
  onExtrasChange(listener: () => void): void;
  /** Sets what is called when such changes are met, and waited for before the extras are read; it does not reject. */
  onUnfinished(listener: () => Promise<void>): void;
}

export type ExtrasPlan = (stored: StoredExtras) => MaybePromise<PlannedExtras>;

export interface PlannedExtras {
  changes: ExtrasChange[];
  /** What other parts of the instance follow: renames and drops of the database, and other aliases; one for each table. */
  moved: MovedTable[];
}

/** What of a call is needed of the one who changes something. */
export type ChangeActor = Pick<Call, 'id' | 'ip' | 'userAgent' | 'baseUrl' | 'caller'>;

/** A change of the database, as the journal has it. */
export interface SchemaChangeFacts {
  /** Its tables by their names before, and a fingerprint of what the database said of each: null of one that was not there. */
  tables: [name: string, fingerprint: string | null][];
  /** No description shows whether it is done. */
  isHidden: boolean;
  /** Each statement commits by itself. */
  isStepwise: boolean;
}

/**
 * Lets the instance follow what moves, in a transaction, before the extras change; what it answers is to be called once that
 * is committed.
 */
export type FollowMoves = (actor: ChangeActor, db: Db, moves: readonly MovedTable[]) => Promise<() => Promise<void>>;

/** A change that is in the journal; one of these is called once. */
export interface PreparedChange {
  /** The database has committed: saves it all. Answers how others hear of it. May be tried again when it rejects. */
  finish(): Promise<() => Promise<void>>;
  /** The database is as it was. */
  cancel(): Promise<void>;
  /** The outcome in the database is unknown, or could not be saved: the next reader or change settles it. */
  leave(): void;
}

export interface UnfinishedChange extends SchemaChangeFacts {
  /** What other parts of the instance follow. */
  moves: MovedTable[];
  /** All that is kept of it, as text. */
  content: string;
  /** The process that made it has certainly ended. */
  isOwnerGone: boolean;
  /** Milliseconds since it was prepared. */
  age(): number;
  /** Saves it. Answers how others hear of it, or undefined when somebody else was faster. Refusals are failures below 500. */
  finish(follow: FollowMoves): Promise<(() => Promise<void>) | undefined>;
  drop(): Promise<void>;
}

/** The change of a table, for the audit. */
export interface SchemaChangeRecord {
  table: string;
  /** What differs, as it was described and is described now. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

/** Describes a change, from the extras before and after it: each record is one entry of the audit, in place of those for the extras. */
export type RecordChanges = (before: Extras, after: Extras) => SchemaChangeRecord[];

/** What is stored in the form that tables are overridden with. That of a table is parsed when it is asked for. */
export function parseExtras(stored: StoredExtras): Extras {
  const { rows } = stored;
  const parsed = new Map<string, TableExtras | undefined>();
  const aliases = rows.db_table_extras.flatMap(({ alias, table }) => (alias === null ? [] : [{ alias, table }]));
  const findAlias = nameIndex(aliases, ({ alias }) => alias);
  return {
    isEmpty: extrasTables.every((table) => rows[table].length === 0),
    tableOfAlias: (alias) => findAlias(alias)?.table,
    row: (table) => rowsOf(rows.db_table_extras, table)[0],
    table(table) {
      if (!parsed.has(table)) parsed.set(table, parseTable(stored, table));
      return parsed.get(table);
    },
    overriddenTables: new WeakMap(),
  };
}

function parseTable(stored: StoredExtras, table: string): TableExtras | undefined {
  const { rows } = stored;
  const [row] = rowsOf(rows.db_table_extras, table);
  const fields = rowsOf(rows.db_field_extras, table);
  const relations = rowsOf(rows.db_relationship_extras, table);
  const virtual = rowsOf(rows.db_virtual_relationship, table);
  if (!row && fields.length + relations.length + virtual.length === 0) return undefined;
  return {
    ...(row ? { row } : {}),
    fields: new Map(fields.map((field) => [field.field, parseFieldRow(field)])),
    relations: new Map(relations.map((relation) => [relation.relationship, relation])),
    virtual: virtual.map((relation) => describeVirtualRelation(relation, stored)),
  };
}

const parseFieldRow = (row: FieldRow): FieldExtras => ({
  alias: row.alias,
  label: row.label,
  description: row.description,
  picklist: parseJson(row.picklist),
  validation: parseJson(row.validation),
  db_function: parseJson(row.db_function),
  is_virtual: row.is_virtual === 1,
  is_aggregate: row.is_aggregate === 1,
  extraType: row.extra_type as SimpleType | null,
});

const parseJson = <T>(text: string | null): T | null => (text === null ? null : (JSON.parse(text) as T));

/**
 * The name a relation has by what it joins (contract/database-tables.md §6.1); one that leads to another service begins
 * with that service's name.
 */
export function virtualRelationName(
  row: VirtualRow,
  { service, names }: Pick<StoredExtras, 'service' | 'names'>,
): string {
  const servicePrefix = row.ref_service_id === service ? '' : `${names[row.ref_service_id] ?? row.ref_service_id}.`;
  const joinedBy =
    row.type === 'belongs_to' ? row.field : row.type === 'many_many' ? (row.junction_table ?? '') : row.ref_field;
  return `${servicePrefix}${row.ref_table}_by_${joinedBy.replaceAll(',', '_')}`;
}

function describeVirtualRelation(row: VirtualRow, stored: StoredExtras): RelationDescription {
  const name = virtualRelationName(row, stored);
  return {
    alias: null,
    name,
    label: labelOf(name),
    description: null,
    native: [],
    type: row.type as RelationKind,
    field: row.field,
    is_virtual: true,
    ref_service_id: row.ref_service_id,
    ref_table: row.ref_table,
    ref_field: row.ref_field,
    ref_on_update: row.ref_on_update,
    ref_on_delete: row.ref_on_delete,
    junction_service_id: row.junction_service_id,
    junction_table: row.junction_table,
    junction_field: row.junction_field,
    junction_ref_field: row.junction_ref_field,
    always_fetch: false,
    flatten: false,
    flatten_drop_prefix: false,
  };
}
