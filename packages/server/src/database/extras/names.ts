// Where rows of extras name a table or a field of it, and what such a name becomes when the table or the field is
// renamed or goes. The names of relations are made of those of tables and fields, so they are found here too.
import type { RelationDescription } from '@sluice/contract';
import type { Table } from '@sluice/sql';
import type { VirtualRow } from './rows.ts';

/** A table of a service by its real name. */
export interface NamedTable {
  service: number;
  table: string;
  /** The other tables of the service, where they are known: an engine may tell names apart by letter case alone. */
  otherTables?: readonly string[];
  /** The same for the fields of the table that are not meant. */
  otherFields?: readonly string[];
}

/** What becomes of the names of a table and of its fields; what is absent stays. */
export interface Renames {
  table?: string;
  /** Real name → new name. */
  fields?: ReadonlyMap<string, string>;
}

/** Whether a text that people typed means a name: as it is written, else in any case where no other one is written so. */
export const means = (text: string, name: string, others: readonly string[] = []): boolean =>
  text === name || (text.toLowerCase() === name.toLowerCase() && !others.includes(text));

type RelationColumn = 'field' | 'ref_field' | 'junction_field' | 'junction_ref_field';

/** An end of a virtual relation: the columns of its row that name a table, and fields of it as lists with commas. */
interface RelationEnd {
  table: 'table' | 'ref_table' | 'junction_table';
  fields: RelationColumn[];
}

/** The ends of a virtual relation of a service that are at a table. */
export function endsAt(
  row: VirtualRow,
  service: number,
  { service: at, table, otherTables }: NamedTable,
): RelationEnd[] {
  const ends: (RelationEnd & { service: number | null })[] = [
    { service, table: 'table', fields: ['field'] },
    { service: row.ref_service_id, table: 'ref_table', fields: ['ref_field'] },
    { service: row.junction_service_id, table: 'junction_table', fields: ['junction_field', 'junction_ref_field'] },
  ];
  return ends.filter((end) => end.service === at && means(row[end.table] ?? '', table, otherTables));
}

/** The names of a list with commas. */
export const namesIn = (list: string | null): string[] => (list === null || list === '' ? [] : list.split(','));

/** Whether a virtual relation joins by one of these names of fields of a table. */
export const joinsBy = (row: VirtualRow, service: number, table: NamedTable, fields: readonly string[]): boolean =>
  endsAt(row, service, table).some((end) =>
    end.fields.some((column) =>
      namesIn(row[column]).some((part) => fields.some((field) => means(part, field, table.otherFields))),
    ),
  );

/** A virtual relation with the new names of a table and its fields. */
export function renameInRelation(row: VirtualRow, service: number, table: NamedTable, renames: Renames): VirtualRow {
  const renamed: Record<string, unknown> = { ...row };
  for (const end of endsAt(row, service, table)) {
    if (renames.table !== undefined) renamed[end.table] = renames.table;
    for (const column of end.fields) {
      const list = row[column];
      if (list !== null) renamed[column] = renameInList(list, renames.fields, table.otherFields);
    }
  }
  return renamed as unknown as VirtualRow;
}

function renameInList(list: string, fields: Renames['fields'] = new Map(), others?: readonly string[]): string {
  const renameField = (part: string): string => {
    const exact = fields.get(part);
    if (exact !== undefined) return exact;
    for (const [field, newName] of fields) if (means(part, field, others)) return newName;
    return part;
  };
  return list.split(',').map(renameField).join(',');
}

/** The automatic name of a relation by foreign keys, on the table whose relation it is. */
export interface RelationName {
  table: string;
  name: string;
  /** The same once the names are new. */
  renamed: { table: string; name: string };
  /** Fields of the table it is made of. */
  fields: string[];
}

/**
 * The names of relations that are made of a table's name or its fields', on the table and on those it is related to
 * (@sluice/sql, relationsOf). They follow from the relations of the table alone.
 */
export function relationNames(
  table: string,
  related: readonly RelationDescription[],
  renames: Renames = {},
): RelationName[] {
  const newTable = renames.table ?? table;
  const tableNow = (name: string) => (name === table ? newTable : name);
  const keys = related.filter(({ is_virtual, type }) => !is_virtual && type !== 'many_many');
  const names: RelationName[] = [];
  const add = (at: string, first: string, by: string, fields: string[] = [], newBy = tableNow(by)) =>
    names.push({
      table: at,
      name: `${first}_by_${by}`,
      renamed: { table: tableNow(at), name: `${tableNow(first)}_by_${newBy}` },
      fields,
    });
  /** Own columns of a foreign key stand in the name. */
  const addOwn = (at: string, first: string, list: string) =>
    add(at, first, list.replaceAll(',', '_'), namesIn(list), renameInList(list, renames.fields).replaceAll(',', '_'));
  const targets = new Set<string>();
  for (const { type, field, ref_table, ref_field } of keys) {
    if (type === 'belongs_to') {
      targets.add(ref_table);
      addOwn(table, ref_table, field);
      addOwn(ref_table, table, field);
    } else if (ref_table === table) {
      targets.add(table);
      addOwn(table, table, ref_field);
    } else {
      const by = ref_field.replaceAll(',', '_');
      add(ref_table, table, by, [], by);
    }
  }
  // Through the table, from each that it references to the others.
  for (const one of targets) for (const other of targets) if (one !== table && one !== other) add(one, other, table);
  // A table is not related through itself.
  for (const { type, is_virtual, ref_table, junction_table } of related)
    if (type === 'many_many' && !is_virtual && junction_table !== null && junction_table !== ref_table)
      add(ref_table, table, junction_table);
  return names;
}

/** A table with what else there is beside it. */
export const namedTable = (
  service: number,
  { name, columns }: Pick<Table, 'name' | 'columns'>,
  tables: readonly string[],
  fields: readonly string[] = [],
): NamedTable => ({
  service,
  table: name,
  otherTables: tables.filter((table) => table !== name),
  otherFields: columns.map(({ native }) => native).filter((field) => !fields.includes(field)),
});
