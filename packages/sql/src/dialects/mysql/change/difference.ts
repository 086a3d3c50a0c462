// From one state of a table to another by one `alter table`. Run the other way round it is what undoes it.
import { definitionOf } from './column-text.ts';
import { quoteName, quoteTable } from './quoting.ts';
import { type ColumnText, foreignKeySql, keySql, type TableText } from './table-text.ts';

/** The statement that makes `to` of `from`; undefined when they are the same. */
export function alterTable(from: TableText, to: TableText): string | undefined {
  const parts = [
    ...without(from.foreignKeys, to.foreignKeys).map(({ name }) => `drop foreign key ${quoteName(name)}`),
    ...without(from.keys, to.keys).map(({ name }) =>
      name === null ? 'drop primary key' : `drop index ${quoteName(name)}`,
    ),
    ...without(from.columns, to.columns).map(({ name }) => `drop column ${quoteName(name)}`),
    ...changedColumns(from, to),
    ...without(to.columns, from.columns).map((column) => `add column ${columnSql(column)}`),
    ...without(to.keys, from.keys).map((key) => `add ${keySql(to, key)}`),
    ...without(to.foreignKeys, from.foreignKeys).map((key) => `add ${foreignKeySql(to, key)}`),
    ...(from.native.name === to.native.name ? [] : [`rename to ${quoteTable(to.native)}`]),
    // A counter that comes back begins behind the largest number otherwise.
    ...(to.autoIncrement !== undefined && from.autoIncrement === undefined
      ? [`auto_increment = ${to.autoIncrement}`]
      : []),
  ];
  return parts.length === 0 ? undefined : `alter table ${quoteTable(from.native)} ${parts.join(', ')}`;
}

function changedColumns(from: TableText, to: TableText): string[] {
  const oldColumns = new Map(from.columns.map((column) => [column.id, column]));
  return to.columns.flatMap((column) => {
    const old = oldColumns.get(column.id);
    if (!old) return [];
    const isRedefined = definitionOf(old.clauses) !== definitionOf(column.clauses);
    if (old.name === column.name) return isRedefined ? [`modify column ${columnSql(column)}`] : [];
    return [`change column ${quoteName(old.name)} ${columnSql(column)}`];
  });
}

/** The statement that gives columns their other names, and changes nothing else; undefined when they have them. */
export function renameColumns(from: TableText, to: TableText): string | undefined {
  const parts = to.columns.flatMap(({ id, name }) => {
    const old = from.columns.find((column) => column.id === id);
    return old && old.name !== name ? [`rename column ${quoteName(old.name)} to ${quoteName(name)}`] : [];
  });
  return parts.length === 0 ? undefined : `alter table ${quoteTable(from.native)} ${parts.join(', ')}`;
}

export const columnSql = ({ name, clauses }: ColumnText): string => `${quoteName(name)} ${definitionOf(clauses)}`;

export const createTable = (table: TableText): string => {
  const parts = [
    ...table.columns.map(columnSql),
    ...table.keys.map((key) => keySql(table, key)),
    ...table.foreignKeys.map((key) => foreignKeySql(table, key)),
  ];
  return `create table ${quoteTable(table.native)} (${parts.join(', ')})`;
};

/** Those of a list that another one does not have. */
export function without<T extends { id: number }>(list: readonly T[], other: readonly T[]): T[] {
  const ids = new Set(other.map(({ id }) => id));
  return list.filter(({ id }) => !ids.has(id));
}
