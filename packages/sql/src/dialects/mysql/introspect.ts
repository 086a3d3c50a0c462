// What a server says about its databases, by information_schema. MySQL has no schemas inside of a database: its
// databases stand in their place (contract/database-schema.md §8).
import { fail, type SimpleType, type TableDescription } from '@sluice/contract';
import {
  type Column,
  type ForeignKey,
  fieldDescription,
  labelOf,
  makeTable,
  nameIndex,
  naturalOrder,
  pluralOf,
  relationsOf,
  type Table,
} from '../../schema/index.ts';
import type { NamedTable, RunQuery, SchemaReader, TextRow } from '../network/index.ts';
import { defaultOf, isNow } from './defaults.ts';
import { isFixedLength, nativeType, simpleType } from './types.ts';

export interface MysqlTable extends NamedTable {
  /** The database it is in. */
  database: string;
  isView: boolean;
}

/** Which databases are shown, and how they are named. */
export interface Scope {
  /** The one connected to. */
  database: string;
  /** Blank or `all`, `default` for the one connected to, or the name of one. */
  schema: string;
}

const systemDatabases = `('information_schema', 'mysql', 'performance_schema', 'sys')`;

/** Resolves a scope: the database whose tables have bare names, and a condition with its parameters. */
export function resolveScope({ database, schema }: Scope) {
  const word = schema.toLowerCase();
  const isAll = word === '' || word === 'all';
  const namingDatabase = isAll || word === 'default' ? database : schema;
  const filter = (column: string) => (isAll ? `lower(${column}) not in ${systemDatabases}` : `${column} = ?`);
  return { namingDatabase, filter, parameters: isAll ? [] : [namingDatabase] };
}

/** Reads schemas. `quotesDefaults`: literal defaults stand in quotes, as MariaDB shows them. */
export function schemaReader(scope: Scope, quotesDefaults: () => boolean): SchemaReader<MysqlTable> {
  const { namingDatabase, filter, parameters } = resolveScope(scope);
  const showsAll = parameters.length === 0;
  return {
    nativeName(apiName) {
      const point = showsAll ? apiName.indexOf('.') : -1;
      const [database, name] =
        point > 0 ? [apiName.slice(0, point), apiName.slice(point + 1)] : [namingDatabase, apiName];
      return { schema: isSame(database, scope.database) ? null : database, name };
    },
    async list(runQuery) {
      // Sequences are tables too; temporary tables are nobody else's.
      const rows = await runQuery(
        `select table_schema, table_name, table_type, table_comment from information_schema.tables
         where ${filter('table_schema')} and table_type in ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED')`,
        parameters,
      );
      const entries = rows.map(([database, name, type, comment]) =>
        entry(String(database), String(name), type === 'VIEW', comment || null),
      );
      // A table `a.b` of the naming database goes before the table b of a database a.
      return entries.sort(
        (a, b) => Number(isSame(b.database, namingDatabase)) - Number(isSame(a.database, namingDatabase)),
      );
    },
    async keys(runQuery, list) {
      const constraints = await runQuery(
        `select table_schema, table_name, constraint_name, column_name, referenced_table_schema, referenced_table_name,
           referenced_column_name
         from information_schema.key_column_usage where ${filter('table_schema')}
         order by table_schema, table_name, constraint_name, ordinal_position`,
        parameters,
      );
      const rules = await runQuery(
        `select constraint_schema, table_name, constraint_name, update_rule, delete_rule
         from information_schema.referential_constraints where ${filter('constraint_schema')}`,
        parameters,
      );
      return toForeignKeys(constraints, rules, nameLookup(list));
    },
    table: (runQuery, entry, keys) => readTable(runQuery, entry, keys, quotesDefaults()),
  };

  function entry(database: string, name: string, isView: boolean, comment: string | null): MysqlTable {
    return {
      name: isSame(database, namingDatabase) ? name : `${database}.${name}`,
      native: { schema: isSame(database, scope.database) ? null : database, name },
      database,
      isView,
      // What a view has there is the word VIEW.
      comment: isView ? null : comment,
    };
  }
}

/** Servers on file systems that do not tell letter cases apart may name a database in another one than we do. */
export const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

type NameOf = (database: string, table: string) => string | undefined;

/** API names by database and table, in any case where the case as written is not found. */
function nameLookup(list: ReadonlyMap<string, MysqlTable>): NameOf {
  const keyOf = (database: string, table: string) => `${database}\n${table}`;
  const find = nameIndex(list.values(), ({ native, database }) => keyOf(database, native.name));
  return (database, table) => find(keyOf(database, table))?.name;
}

interface Constraint {
  /** Database, table and name as one text. */
  id: string;
  row: string[];
  columns: string[];
  refColumns: string[];
}

/** Foreign keys whose tables are both in the list. */
function toForeignKeys(constraints: TextRow[], rules: TextRow[], nameOf: NameOf): ForeignKey[] {
  const constraintsById = new Map<string, Constraint>();
  for (const constraintRow of constraints) {
    const row = constraintRow.map((value) => value ?? '');
    const id = row.slice(0, 3).join('\n');
    const constraint = constraintsById.get(id) ?? { id, row, columns: [], refColumns: [] };
    constraint.columns.push(row[3] as string);
    constraint.refColumns.push(row[6] as string);
    constraintsById.set(id, constraint);
  }
  const rulesOf = new Map(rules.map((row) => [row.slice(0, 3).join('\n'), row]));
  const isForeign = ({ row }: Constraint) => row[5] !== '';
  const tableOf = ({ row }: Constraint) => `${row[0]}\n${row[1]}`;
  const unique = new Set(
    [...constraintsById.values()]
      .filter((constraint) => !isForeign(constraint))
      .map((constraint) => `${tableOf(constraint)}\n${constraint.columns.toSorted().join('\n')}`),
  );
  const foreignKeys = [...constraintsById.values()].filter(isForeign).flatMap((entry): ForeignKey[] => {
    const [database = '', tableName = '', constraint = '', , refDatabase = '', refName = ''] = entry.row;
    const table = nameOf(database, tableName);
    const refTable = nameOf(refDatabase, refName);
    if (table === undefined || refTable === undefined) return [];
    const [, , , onUpdate, onDelete] = rulesOf.get(entry.id) ?? [];
    return [
      {
        table,
        columns: entry.columns,
        refTable,
        refColumns: entry.refColumns,
        onUpdate: onUpdate ?? 'NO ACTION',
        onDelete: onDelete ?? 'NO ACTION',
        isOne: unique.has(`${tableOf(entry)}\n${entry.columns.toSorted().join('\n')}`),
        constraint: {
          constraint_name: constraint,
          constraint_type: 'FOREIGN KEY',
          table_schema: database,
          table_name: tableName,
          column_name: entry.columns.join(','),
          referenced_table_schema: refDatabase,
          referenced_table_name: refName,
          referenced_column_name: entry.refColumns.join(','),
          update_rule: onUpdate ?? 'NO ACTION',
          delete_rule: onDelete ?? 'NO ACTION',
        },
      },
    ];
  });
  const nameOfKey = (foreignKey: ForeignKey) => foreignKey.constraint?.constraint_name ?? '';
  return foreignKeys.sort((a, b) => naturalOrder(a.table, b.table) || naturalOrder(nameOfKey(a), nameOfKey(b)));
}

async function readTable(
  runQuery: RunQuery,
  entry: MysqlTable,
  keys: readonly ForeignKey[],
  quotesDefaults: boolean,
): Promise<Table | undefined> {
  const where = [entry.database, entry.native.name];
  const isOfTable = (row: TextRow) => row[0] === entry.native.name;
  const columnRows = await runQuery(
    `select table_name, column_name, column_type, is_nullable, column_default, extra, column_comment
     from information_schema.columns where table_schema = ? and table_name = ? order by ordinal_position`,
    where,
  );
  const indexRows = await runQuery(
    `select table_name, index_name, non_unique, column_name from information_schema.statistics
     where table_schema = ? and table_name = ? order by index_name, seq_in_index`,
    where,
  );
  const raw = columnRows.filter(isOfTable).map(toRawColumn);
  if (raw.length === 0) {
    if (entry.isView) await assertNotBroken(runQuery, entry);
    return undefined;
  }
  const indexes = indexesOf(indexRows.filter(isOfTable));
  const primary = indexes.find((index) => index.name === 'PRIMARY')?.columns ?? [];
  const ownKeys = keys.filter((key) => key.table === entry.name);
  const columns = raw.map((column) => describeColumn(column, primary, indexes, ownKeys, quotesDefaults));
  const label = labelOf(entry.name);
  const constraints = ownKeys.flatMap((key) =>
    key.constraint ? [[(key.constraint.constraint_name ?? '').toLowerCase(), key.constraint] as const] : [],
  );
  const description: TableDescription = {
    alias: null,
    name: entry.name,
    label,
    description: entry.comment,
    native: [],
    plural: pluralOf(label),
    is_view: entry.isView,
    primary_key: primary,
    name_field: null,
    field: columns.map((column) => column.description),
    related: relationsOf(entry.name, keys),
    constraints: constraints.length > 0 ? Object.fromEntries(constraints) : [],
  };
  return makeTable({ name: entry.name, native: entry.native, description, columns });
}

/** A view whose tables are gone has no columns: reading it says what is wrong. */
async function assertNotBroken(runQuery: RunQuery, { name, database, native }: MysqlTable): Promise<void> {
  const quoted = [database, native.name].map((name) => `\`${name.replaceAll('`', '``')}\``).join('.');
  try {
    await runQuery(`select 1 from ${quoted} limit 0`);
  } catch (error) {
    const { sqlMessage, message } = ((error as Error).cause ?? error) as Error & { sqlMessage?: string };
    throw fail('database.broken', { table: name, text: sqlMessage ?? message }, { cause: error });
  }
}

interface RawColumn {
  name: string;
  type: string;
  isNullable: boolean;
  default: string | null;
  extra: string;
  comment: string | null;
}

const toRawColumn = ([, name, type, isNullable, value, extra, comment]: TextRow): RawColumn => ({
  name: String(name),
  type: String(type),
  isNullable: isNullable === 'YES',
  default: value ?? null,
  extra: String(extra ?? '').toLowerCase(),
  comment: comment || null,
});

interface Index {
  name: string;
  isUnique: boolean;
  columns: string[];
}

function indexesOf(rows: TextRow[]): Index[] {
  const indexes = new Map<string, Index>();
  for (const [, name, nonUnique, column] of rows) {
    const index = indexes.get(String(name)) ?? { name: String(name), isUnique: nonUnique === '0', columns: [] };
    // A part of an index that is an expression has no column.
    index.columns.push(column ?? '');
    indexes.set(index.name, index);
  }
  return [...indexes.values()];
}

function describeColumn(
  raw: RawColumn,
  primary: string[],
  indexes: Index[],
  keys: ForeignKey[],
  quotesDefaults: boolean,
): Column {
  const native = nativeType(raw.type);
  const isPrimary = primary.includes(raw.name);
  const isAutomatic = raw.extra.includes('auto_increment');
  const isGenerated = /\b(virtual|stored|persistent) generated\b/.test(raw.extra);
  const key = keys.find((foreignKey) => foreignKey.columns.includes(raw.name));
  const position = key?.columns.indexOf(raw.name) ?? 0;
  const value = isGenerated ? undefined : defaultOf(raw.default, raw.extra, simpleType(native), quotesDefaults);
  const type = typeOf(raw, simpleType(native), value, isAutomatic && isPrimary && primary.length === 1, key);
  const description = fieldDescription({
    name: raw.name,
    type,
    db_type: native.text,
    description: raw.comment,
    length: native.length,
    precision: native.precision,
    scale: native.scale,
    default: value ?? null,
    required: !raw.isNullable && value === undefined && !isAutomatic && !isGenerated,
    allow_null: raw.isNullable,
    fixed_length: isFixedLength(native),
    auto_increment: isAutomatic,
    is_primary_key: isPrimary,
    is_unique: indexes.some((index) => index.isUnique && index.name !== 'PRIMARY' && isOnly(index, raw.name)),
    is_index: !isPrimary && !key && indexes.some((index) => !index.isUnique && index.columns.includes(raw.name)),
    is_foreign_key: key !== undefined,
    ref_table: key?.refTable ?? null,
    ref_field: key?.refColumns[position] ?? null,
    // What the database computes can't be written: said in the words clients know (contract/database-tables.md §10).
    ...(isGenerated ? { validation: { api_read_only: {} } } : {}),
  });
  const column: Column = { name: raw.name, native: raw.name, description };
  if (isGenerated) column.autoValue = 'generated';
  else if (isAutomatic || value !== undefined) column.autoValue = 'default';
  if (native.isUnsigned || native.name === 'bit') column.isUnsigned = true;
  return column;
}

const isOnly = (index: Index, column: string) => index.columns.length === 1 && index.columns[0] === column;

/** What a column is beyond its native type: a key, a reference, or a moment the server keeps (contract §2, §5). */
function typeOf(
  raw: RawColumn,
  simple: SimpleType,
  value: unknown,
  isOwnKey: boolean,
  key: ForeignKey | undefined,
): SimpleType {
  const isWhole = simple === 'integer' || (simple === 'bigint' && !/^bit\b/i.test(raw.type));
  if (isOwnKey && isWhole) return 'id';
  if (key?.columns.length === 1 && isWhole) return 'reference';
  if (simple !== 'timestamp') return simple;
  if (/on update current_timestamp/.test(raw.extra)) return 'timestamp_on_update';
  return isNow(value) ? 'timestamp_on_create' : simple;
}
