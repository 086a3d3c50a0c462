// Extras in the form that tables are overridden with.
import type { FieldDescription, MaybePromise, RelationDescription, RelationKind, SimpleType } from '@sluice/contract';
import { labelOf, type Table } from '@sluice/sql';
import type { Call } from '../../call/call.ts';
import type { Db } from '../../store/index.ts';
import type { UsageTarget } from '../usage/index.ts';
import type { ExtrasChange, FieldRow, RelationRow, StoredExtras, TableRow, VirtualRow } from './rows.ts';

export interface Extras {
  /** Nothing is said of any table. */
  isEmpty: boolean;
  /** Lower-cased alias → real name of its table. */
  aliases: Map<string, string>;
  /** By real name. */
  tables: Map<string, TableExtras>;
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
   * process when it returns. What `plan` throws leaves all as it was.
   */
  change(call: ChangeActor, plan: ExtrasPlan): Promise<void>;
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
  /** Throws what `plan` would throw now; changes nothing. */
  check(plan: ExtrasPlan): Promise<void>;
  /** Tells every process that the database was changed: what was read of its schema is dropped. */
  announceSchemaChange(): Promise<void>;
  /** Sets what is called when another process changed the database; it comes before the extras that were read after that. */
  onSchemaChange(listener: () => void): void;
  /** Sets what is called when other extras are read than before. */
  onExtrasChange(listener: () => void): void;
  /** Sets what is called when such changes are met, and waited for before the extras are read; it does not reject. */
  onUnfinished(listener: () => Promise<void>): void;
}

export type ExtrasPlan = (stored: StoredExtras) => MaybePromise<ExtrasChange[]>;

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
  moves: SchemaMove[];
}

/** What names a table or a field elsewhere, and is to name it otherwise; without a new name it is dropped. */
export interface SchemaMove {
  target: UsageTarget;
  newName?: string;
}

/**
 * Lets the instance follow what moves, in a transaction, before the extras change; what it answers is to be called once that
 * is committed.
 */
export type FollowMoves = (actor: ChangeActor, db: Db, moves: SchemaMove[]) => Promise<() => Promise<void>>;

/** A change that is in the journal; one of these is called once. */
export interface PreparedChange {
  /** The database has committed: saves it all. Answers how others hear of it. May be tried again when it rejects. */
  finish(): Promise<() => Promise<void>>;
  /** The database is as it was. */
  cancel(): Promise<void>;
  /** What became of the database is not known, or could not be saved: it is for whoever comes next. */
  leave(): void;
}

export interface UnfinishedChange extends Pick<SchemaChangeFacts, 'tables' | 'isHidden' | 'isStepwise' | 'moves'> {
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

/** Parses what is stored into the form that tables are overridden with. */
export function parseExtras(stored: StoredExtras): Extras {
  const { rows } = stored;
  const tables = new Map<string, TableExtras>();
  const extrasOfTable = (table: string): TableExtras => {
    const tableExtras = tables.get(table) ?? { fields: new Map(), relations: new Map(), virtual: [] };
    tables.set(table, tableExtras);
    return tableExtras;
  };
  for (const row of rows.db_table_extras) extrasOfTable(row.table).row = row;
  for (const row of rows.db_field_extras) extrasOfTable(row.table).fields.set(row.field, parseFieldRow(row));
  for (const row of rows.db_relationship_extras) extrasOfTable(row.table).relations.set(row.relationship, row);
  for (const row of rows.db_virtual_relationship)
    extrasOfTable(row.table).virtual.push(describeVirtualRelation(row, stored));
  const aliases = rows.db_table_extras.flatMap(({ alias, table }) =>
    alias === null ? [] : [[alias.toLowerCase(), table] as const],
  );
  return { isEmpty: tables.size === 0, aliases: new Map(aliases), tables, overriddenTables: new WeakMap() };
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
