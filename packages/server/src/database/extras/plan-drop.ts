// Plans what of the extras goes with a table or a column of the database (contract/database-schema.md §3): what is said of it,
// and the virtual relations that cannot join without it.
import { fail } from '@sluice/contract';
import { virtualRelationName } from './extras.ts';
import { endsAt, joinsBy, type NamedTable, namedTable, relationNames } from './names.ts';
import { identityOf, removeRelation } from './plan-relation.ts';
import {
  type ChangePlan,
  type ExtrasChange,
  rowChange,
  rowsNamed,
  rowsOf,
  type StoredExtras,
  type VirtualRow,
} from './rows.ts';

/** A table of the database goes, with every row that is about it and every relation that leads to it. */
export const planTableDrop = (): ChangePlan => (stored, context) => {
  const { rows, service } = stored;
  const { name } = context.table;
  const at = namedTable(service, context.table, context.tables);
  const isGone = (row: VirtualRow) => row.table === name || endsAt(row, service, at).length > 0;
  return [
    ...rowsOf(rows.db_table_extras, name).map((): ExtrasChange => ({ table: 'db_table_extras', key: { table: name } })),
    ...rowsOf(rows.db_field_extras, name).map(
      ({ field }): ExtrasChange => ({ table: 'db_field_extras', key: { table: name, field } }),
    ),
    ...rows.db_virtual_relationship.filter(isGone).map(dropVirtualRow),
    ...dropRelationRows(
      stored,
      [
        ...rowsOf(rows.db_relationship_extras, name).map(({ relationship }) => ({ table: name, name: relationship })),
        ...relationNames(name, context.table.description.related),
      ],
      isGone,
    ),
  ];
};

/** A column of the database goes; a virtual field has a plan of its own (planFieldDrop). */
export const planColumnDrop =
  (field: string): ChangePlan =>
  (stored, context) => {
    const { rows, service } = stored;
    const { name } = context.table;
    const existing = rowsNamed(rows.db_field_extras, name, field).find((row) => row.is_virtual === 0);
    if (!context.isAdmin && existing && existing.db_function !== null)
      throw fail('schema.adminOnly', { what: 'the db_function of a field' });
    const names = namesOfField(stored, name, field);
    const at = namedTable(service, context.table, context.tables, [field]);
    const isGone = (row: VirtualRow) => joinsBy(row, service, at, names);
    const native = relationNames(name, context.table.description.related).filter(({ fields }) =>
      fields.includes(field),
    );
    return [
      ...(existing ? [{ table: 'db_field_extras', key: { table: name, field } } as const] : []),
      ...rowsOf(rows.db_table_extras, name)
        .filter((row) => row.name_field !== null && names.includes(row.name_field))
        .flatMap((row) => rowChange('db_table_extras', { table: name }, row, { ...row, name_field: null })),
      ...rows.db_virtual_relationship.filter(isGone).map(dropVirtualRow),
      ...dropRelationRows(stored, native, isGone),
    ];
  };

/** The virtual relations of another service that lead to a table that goes, or join by one of these names of a field. */
export const planDropElsewhere =
  (at: NamedTable, fields?: readonly string[]) =>
  (stored: StoredExtras): ExtrasChange[] =>
    stored.rows.db_virtual_relationship
      .filter((row) => (fields ? joinsBy(row, stored.service, at, fields) : endsAt(row, stored.service, at).length > 0))
      .flatMap((row) => removeRelation(row, stored));

/** What a relation may call a field of the database: its own name, and its alias last. */
export function namesOfField({ rows }: Pick<StoredExtras, 'rows'>, table: string, field: string): string[] {
  const alias =
    rows.db_field_extras.find((row) => row.table === table && row.field === field && row.is_virtual === 0)?.alias ??
    null;
  return alias === null ? [field] : [field, alias];
}

const dropVirtualRow = (row: VirtualRow): ExtrasChange => ({ table: 'db_virtual_relationship', key: identityOf(row) });

/** What is said of relations that go, by their names, unless a virtual one that stays has the name. */
function dropRelationRows(
  stored: StoredExtras,
  native: { table: string; name: string }[],
  isGone: (row: VirtualRow) => boolean,
): ExtrasChange[] {
  const virtual = stored.rows.db_virtual_relationship.map((row) => ({
    table: row.table,
    name: virtualRelationName(row, stored),
    isGone: isGone(row),
  }));
  const place = ({ table, name }: { table: string; name: string }) => JSON.stringify([table, name]);
  const gone = new Set([...native, ...virtual.filter((relation) => relation.isGone)].map(place));
  const staying = new Set(virtual.filter((relation) => !relation.isGone).map(place));
  return stored.rows.db_relationship_extras
    .map(({ table, relationship }) => ({ table, name: relationship }))
    .filter((relation) => gone.has(place(relation)) && !staying.has(place(relation)))
    .map(({ table, name }): ExtrasChange => ({ table: 'db_relationship_extras', key: { table, relationship: name } }));
}
