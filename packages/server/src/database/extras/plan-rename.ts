// Plans how extras follow when a table or its fields are renamed in the database. They go by real names, so every place that
// has one gets the new one; what stands under the new name already is left over from something that is gone, and goes.
import { isDeepStrictEqual } from 'node:util';
import { fail } from '@sluice/contract';
import { labelOf } from '@sluice/sql';
import { virtualRelationName } from './extras.ts';
import { means, type NamedTable, namedTable, type Renames, relationNames, renameInRelation } from './names.ts';
import { identityOf } from './plan-relation.ts';
import {
  type ChangeContext,
  type ChangePlan,
  type ExtrasChange,
  type ExtrasTable,
  type FieldRow,
  type RelationRow,
  type RowOf,
  rowsOf,
  type StoredExtras,
  type TableRow,
} from './rows.ts';

export const planTableRename = (newName: string): ChangePlan => planRenames({ table: newName });

export const planFieldRename = (field: string, newName: string): ChangePlan =>
  planRenames({ fields: new Map([[field, newName]]) });

/**
 * All renames of one change of a table, since the names of relations are made of several of them. The last of its plans:
 * those before go by the old names. Throws `schema.nameTaken` where an alias or a virtual field has the new name.
 */
export const planRenames =
  (renames: Renames): ChangePlan =>
  (stored, context) => {
    refuseTakenNames(stored, context, renames);
    const { name } = context.table;
    const at = namedTable(stored.service, context.table, context.tables, [...(renames.fields?.keys() ?? [])]);
    const relations = movedNames(stored, at, renames, relationNames(name, context.table.description.related, renames));
    return [
      ...(renames.table === undefined || renames.table === name ? [] : dropLeftovers(stored, renames.table)),
      ...moveTableRow(stored, name, renames),
      ...moveFieldRows(stored, name, renames),
      ...moveVirtualRows(stored, at, renames),
      ...moveRelationRows(stored, at, renames, relations),
    ];
  };

/** How the virtual relations of another service follow, and what is said of them. */
export const planRenamesElsewhere =
  (at: NamedTable, renames: Renames) =>
  (stored: StoredExtras): ExtrasChange[] => [
    ...moveVirtualRows(stored, at, renames),
    ...moveRelationRows(stored, at, renames, movedNames(stored, at, renames, [])),
  ];

// ---- names that are taken ----

function refuseTakenNames({ rows }: StoredExtras, { table }: ChangeContext, renames: Renames): void {
  const isTaken = (name: string, taken: string | null) => taken !== null && means(taken, name);
  const newTable = renames.table;
  if (
    newTable !== undefined &&
    rows.db_table_extras.some((row) => row.table !== table.name && isTaken(newTable, row.alias))
  )
    throw fail('schema.nameTaken', { name: newTable, place: 'the service' });
  for (const [field, newName] of renames.fields ?? []) {
    const clash =
      rows.db_field_extras.some(
        (row) =>
          row.table === table.name &&
          row.field !== field &&
          (isTaken(newName, row.alias) || (row.is_virtual === 1 && isTaken(newName, row.field))),
      ) || rows.db_relationship_extras.some((row) => row.table === table.name && isTaken(newName, row.alias));
    if (clash) throw fail('schema.nameTaken', { name: newName, place: `table '${table.name}'` });
  }
}

/** Rows of a table of that name, which the database does not have: nothing but remains. */
export const dropLeftovers = ({ rows }: StoredExtras, table: string): ExtrasChange[] => [
  ...rowsOf(rows.db_table_extras, table).map((): ExtrasChange => ({ table: 'db_table_extras', key: { table } })),
  ...rowsOf(rows.db_field_extras, table).map(
    ({ field }): ExtrasChange => ({ table: 'db_field_extras', key: { table, field } }),
  ),
  ...rowsOf(rows.db_relationship_extras, table).map(
    ({ relationship }): ExtrasChange => ({ table: 'db_relationship_extras', key: { table, relationship } }),
  ),
  ...rowsOf(rows.db_virtual_relationship, table).map(
    (row): ExtrasChange => ({ table: 'db_virtual_relationship', key: identityOf(row) }),
  ),
];

// ---- rows of the table and its fields ----

/** Without an override that says what the new name says by itself. */
const withoutDefaults = <R extends { alias: string | null; label: string | null }>(row: R, name: string): R => ({
  ...row,
  alias: row.alias === name ? null : row.alias,
  label: row.label === labelOf(name) ? null : row.label,
});

function moveTableRow({ rows }: StoredExtras, name: string, renames: Renames): ExtrasChange[] {
  const table = renames.table ?? name;
  const moves = rows.db_table_extras
    .filter((row) => row.table === name)
    .map((row): Move<TableRow> => {
      const moved = { ...row, table, name_field: renamedField(row.name_field, rows.db_field_extras, name, renames) };
      return { row, moved: renames.table === undefined ? moved : withoutDefaults(moved, table) };
    });
  return moveRows('db_table_extras', moves, [], ({ table }) => ({ table }));
}

/** The field that names records may be given by its alias, which stays. */
function renamedField(name: string | null, fields: FieldRow[], table: string, renames: Renames): string | null {
  const newName = name === null ? undefined : renames.fields?.get(name);
  const isAlias = fields.some((row) => row.table === table && row.alias === name);
  return newName === undefined || isAlias ? name : newName;
}

function moveFieldRows({ rows }: StoredExtras, name: string, renames: Renames): ExtrasChange[] {
  const table = renames.table ?? name;
  const ofTable = rowsOf(rows.db_field_extras, name);
  const newNames = new Set(renames.fields?.values());
  const moves = ofTable
    // What says something of a new name already is of a column that is gone.
    .filter((row) => !newNames.has(row.field) || renames.fields?.has(row.field))
    .map((row): Move<FieldRow> => {
      const newName = row.is_virtual === 1 ? undefined : renames.fields?.get(row.field);
      const field = newName ?? row.field;
      const moved = { ...row, table, field };
      return { row, moved: newName === undefined ? moved : withoutDefaults(moved, field) };
    });
  const movedRows = new Set(moves.map(({ row }) => row));
  const leftovers = ofTable.filter((row) => !movedRows.has(row));
  return moveRows('db_field_extras', moves, leftovers, ({ table, field }) => ({ table, field }));
}

// ---- relations ----

function moveVirtualRows({ rows, service }: StoredExtras, at: NamedTable, renames: Renames): ExtrasChange[] {
  const moves = rows.db_virtual_relationship.map((row) => ({
    row,
    moved: renameInRelation(row, service, at, renames),
  }));
  return moveRows('db_virtual_relationship', moves, [], identityOf);
}

interface MovedName {
  table: string;
  name: string;
  renamed: { table: string; name: string };
}

/** The names of relations that become others: of those by foreign keys, and of virtual ones. */
function movedNames(stored: StoredExtras, at: NamedTable, renames: Renames, native: MovedName[]): MovedName[] {
  const virtual = stored.rows.db_virtual_relationship.map((row): MovedName => {
    const moved = renameInRelation(row, stored.service, at, renames);
    return {
      table: row.table,
      name: virtualRelationName(row, stored),
      renamed: { table: moved.table, name: virtualRelationName(moved, stored) },
    };
  });
  return [...native, ...virtual].filter(({ name, renamed }) => name !== renamed.name);
}

function moveRelationRows(
  { rows, service }: StoredExtras,
  at: NamedTable,
  renames: Renames,
  names: MovedName[],
): ExtrasChange[] {
  const newNames = new Map(names.map(({ table, name, renamed }) => [JSON.stringify([table, name]), renamed.name]));
  const moves = rows.db_relationship_extras.map((row): Move<RelationRow> => {
    const isOwn = service === at.service && row.table === at.table;
    const table = isOwn ? (renames.table ?? row.table) : row.table;
    const newName = newNames.get(JSON.stringify([row.table, row.relationship]));
    return { row, moved: { ...row, table, relationship: newName ?? row.relationship } };
  });
  return moveRows('db_relationship_extras', moves, [], ({ table, relationship }) => ({ table, relationship }));
}

// ---- moving ----

/** A row, and the same under its new names. */
interface Move<R> {
  row: R;
  moved: R;
}

/**
 * Moves rows to their new keys. A row that is there already goes, unless it moves itself; where rows change places with each
 * other, all are taken out before they are put back.
 */
function moveRows<T extends ExtrasTable>(
  table: T,
  moves: Move<RowOf<T>>[],
  leftovers: RowOf<T>[],
  keyOf: (row: RowOf<T>) => object,
): ExtrasChange[] {
  const change = (row: RowOf<T>, newRow?: RowOf<T>) =>
    ({ table, key: keyOf(row), ...(newRow && says(newRow, keyOf(newRow)) ? { row: newRow } : {}) }) as ExtrasChange;
  // By their keys as text: a table may have two thousand fields.
  const place = (row: RowOf<T>) => JSON.stringify(keyOf(row));
  const changed = moves.filter(({ row, moved }) => !isDeepStrictEqual(row, moved));
  const moving = new Map(changed.map((move) => [place(move.row), move]));
  const isSwap = changed.some((move) => (moving.get(place(move.moved)) ?? move) !== move);
  const taken = new Set(changed.map(({ moved }) => place(moved)));
  const replaced = moves.map(({ row }) => row).filter((row) => taken.has(place(row)) && !moving.has(place(row)));
  const removals = [...leftovers, ...replaced].map((row) => change(row));
  if (!isSwap) return [...removals, ...changed.map(({ row, moved }) => change(row, moved))];
  return [...removals, ...changed.map(({ row }) => change(row)), ...changed.map(({ moved }) => change(moved, moved))];
}

/** Whether a row says anything besides what it is about; a virtual relation does by being there. */
const says = (row: object, key: object): boolean =>
  'ref_table' in row || Object.entries(row).some(([name, value]) => !(name in key) && value !== null && value !== 0);
