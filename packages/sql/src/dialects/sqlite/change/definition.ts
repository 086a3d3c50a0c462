// Definitions of columns, keys and indexes as SQL.
import type { FieldDefinition, ReferenceDefinition, TypeDefinition } from '../../../change/index.ts';
import { constraintName, type TakenNames } from '../../../change/names.ts';
import { unsupported } from './task.ts';
import { isFragment, quoteName } from './tokens.ts';
import { bringsDefault, defaultSql, describeType, strictWord, typeWord } from './type-words.ts';

/** Bytes a name of ours has at most; SQLite itself has no limit. */
export const maxName = 128;

/** What a definition has to know of the table around it. */
export interface Surroundings {
  /** API name, for refusals. */
  table: string;
  isStrict: boolean;
  /** The field is the whole primary key. */
  isSoleKey: boolean;
}

/** The type of a column, in SQLite's words. */
export function columnType(
  type: TypeDefinition,
  isAutoIncrement: boolean,
  { table, isStrict, isSoleKey }: Surroundings,
): string {
  const word = typeWord(type);
  if (!isFragment(word)) throw unsupported(table, `'${word}' is no type`);
  // Only this very word counts up.
  if (isAutoIncrement) return isWhole(type) ? 'integer' : word;
  // As the whole key it would count up though nobody said so (https://sqlite.org/lang_createtable.html#rowid).
  if (isSoleKey && /^\s*integer\s*$/i.test(word)) return 'int';
  return isStrict ? strictWord(word) : word;
}

const isWhole = (type: TypeDefinition): boolean => ['integer', 'bigint'].includes(String(describeType(type)?.type));

/** What stands behind `DEFAULT`; undefined where there is none. */
export function columnDefault({ type, default: value, name }: FieldDefinition, table: string): string | undefined {
  if (!value) return bringsDefault(type) ? 'CURRENT_TIMESTAMP' : undefined;
  const sql = defaultSql(value);
  if (sql === undefined) throw unsupported(table, `the default of '${name}' is no value and no expression`);
  return sql;
}

/** The definition of a new column; `reference` is the foreign key that it is alone. */
export function columnDefinition(
  field: FieldDefinition,
  surroundings: Surroundings,
  reference?: ReferenceDefinition,
): string {
  const { name, sql, isAutoIncrement, isPrimaryKey, allowNull } = field;
  const { table, isSoleKey } = surroundings;
  requireName(name, table);
  if (sql !== undefined) {
    if (!isFragment(sql)) throw unsupported(table, `the SQL of '${name}' is no definition of a column`);
    return `${quoteName(name)} ${sql}`;
  }
  if (isAutoIncrement && !isSoleKey)
    throw unsupported(table, `'${name}' can count up only as the whole primary key of its table`);
  const parts = [quoteName(name), columnType(field.type, isAutoIncrement, surroundings)];
  if (!allowNull || isPrimaryKey) parts.push('NOT NULL');
  const value = columnDefault(field, table);
  if (value !== undefined) parts.push(`DEFAULT ${value}`);
  if (isSoleKey) parts.push(isAutoIncrement ? 'PRIMARY KEY AUTOINCREMENT' : 'PRIMARY KEY');
  if (reference) parts.push(referenceSql(table, reference, true));
  return parts.join(' ');
}

const referenceActions = ['CASCADE', 'RESTRICT', 'SET NULL', 'SET DEFAULT', 'NO ACTION'];

/** A foreign key, in the definition of its column or by itself. */
export function referenceSql(table: string, reference: ReferenceDefinition, isInline: boolean): string {
  const { columns, refTable, refColumns, onUpdate, onDelete } = reference;
  for (const action of [onUpdate, onDelete])
    if (action !== null && !referenceActions.includes(action))
      throw unsupported(table, `'${action.slice(0, 40)}' is nothing a reference can do`);
  const list = (names: string[]) => `(${names.map(quoteName).join(', ')})`;
  return [
    `CONSTRAINT ${quoteName(constraintName('reference', table, columns, maxName))}`,
    isInline ? '' : `FOREIGN KEY ${list(columns)}`,
    `REFERENCES ${quoteName(refTable)} ${list(refColumns)}`,
    onUpdate === null ? '' : `ON UPDATE ${onUpdate}`,
    onDelete === null ? '' : `ON DELETE ${onDelete}`,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** The statement that makes an index of ours. */
export function indexSql(kind: 'unique' | 'index', table: string, column: string, names: TakenNames): string {
  const name = names.claim(constraintName(kind, table, [column], maxName));
  const words = kind === 'unique' ? 'CREATE UNIQUE INDEX' : 'CREATE INDEX';
  return `${words} ${quoteName(name)} ON ${quoteName(table)} (${quoteName(column)})`;
}

/** SQLite reads a statement up to a NUL. */
export function requireName(name: string, table: string): void {
  if (name === '' || name.includes('\0')) throw unsupported(table, `'${name}' is no name`);
}
