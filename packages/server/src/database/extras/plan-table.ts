// Plans the changes for what is sent of a table: other names and labels, and all changes of a call together. Decided without
// I/O, on what is stored and on the table as the database has it, or will have it.
import { fail } from '@sluice/contract';
import { labelOf, pluralOf, type Table } from '@sluice/sql';
import { type ExtrasInput, inputAlias, inputDescription, inputOverride, inputText } from './input.ts';
import { dropLeftovers } from './plan-rename.ts';
import {
  type ChangeContext,
  type ChangePlan,
  type ExtrasChange,
  type ExtrasDraft,
  rowChange,
  rowsOf,
  type StoredExtras,
  type TableRow,
} from './rows.ts';

/** Virtual fields and relations of one table. */
const maxVirtual = 500;

/** Runs several plans one after the other, and checks that the resulting names all differ. */
export function runPlans(draft: ExtrasDraft, plans: ChangePlan[], context: ChangeContext): void {
  const changes: ExtrasChange[] = [];
  for (const plan of plans) {
    changes.push(...draft.run(plan, context));
    // Each is compared with all before it.
    if (rowsOf(draft.current.rows.db_virtual_relationship, context.table.name).length > maxVirtual)
      throw tooManyVirtual(context.table);
  }
  if (changes.length > 0) checkResult(changes, draft.current, context);
}

/**
 * A new table begins without what was said of one of its name that is gone. Refused under the alias of another, where no address
 * of records would lead to it.
 */
export const planNewTable =
  (name: string): ChangePlan =>
  (stored) => {
    const lower = name.toLowerCase();
    if (stored.rows.db_table_extras.some((row) => row.table !== name && row.alias?.toLowerCase() === lower))
      throw fail('schema.nameTaken', { name, place: 'the service' });
    return dropLeftovers(stored, name);
  };

/** What is said of the table itself; its fields and relations have plans of their own. */
export function planTable(values: ExtrasInput['values']): ChangePlan {
  return ({ rows }, { table, isAdmin }) => {
    const { name, description } = table.description;
    const key = { table: name };
    const [existing] = rowsOf(rows.db_table_extras, name);
    const stored = existing ?? { ...key, alias: null, label: null, plural: null, description: null, name_field: null };
    const input = { name, values };
    const label = inputOverride(input, 'label', stored.label, labelOf(name));
    const row: TableRow = {
      ...key,
      alias: inputAlias(input, stored.alias),
      label,
      plural: inputOverride(input, 'plural', stored.plural, pluralOf(label ?? labelOf(name))),
      description: inputDescription(input, stored.description),
      name_field: inputText(input, 'name_field', stored.name_field),
    };
    if (row.description === description) row.description = null;
    if (row.alias !== stored.alias && !isAdmin) throw fail('schema.adminOnly', { what: 'the alias of a table' });
    return rowChange('db_table_extras', key, existing, row);
  };
}

// ---- the resulting names ----

/** Names of one address must differ beyond their letter case; names that no change touches are left alone. */
function checkResult(changes: ExtrasChange[], { rows }: StoredExtras, { table, tables }: ChangeContext): void {
  const fields = rowsOf(rows.db_field_extras, table.name);
  const virtual = fields.filter((row) => row.is_virtual === 1);
  if (virtual.length + rowsOf(rows.db_virtual_relationship, table.name).length > maxVirtual)
    throw tooManyVirtual(table);
  const aliases = new Map(rows.db_table_extras.map((row) => [row.table, row.alias]));
  refuseDuplicates(
    tables.map((name) => aliases.get(name) ?? name),
    changes.flatMap((change) => (change.table === 'db_table_extras' && change.row?.alias ? [change.row.alias] : [])),
    'the service',
  );
  const fieldAliases = new Map(fields.map((row) => [row.field, row.alias]));
  const relationAliases = new Map(
    rowsOf(rows.db_relationship_extras, table.name).map((row) => [row.relationship, row.alias]),
  );
  const relations = table.description.related.map(({ name }) => relationAliases.get(name) ?? name);
  refuseDuplicates(
    [
      ...lowerNames(table.columns.flatMap(({ native }) => (fieldAliases.get(native) == null ? [native] : []))),
      ...table.columns.flatMap(({ native }) => fieldAliases.get(native) ?? []),
      ...virtual.map(({ field, alias }) => alias ?? field),
      ...relations,
      ...virtualRelationAliases(relationAliases, table),
    ],
    changes.flatMap((change) => {
      if (change.table === 'db_field_extras' && change.row) return [change.row.alias ?? change.row.field];
      return change.table === 'db_relationship_extras' && change.row?.alias ? [change.row.alias] : [];
    }),
    `table '${table.name}'`,
  );
}

const tooManyVirtual = ({ name }: Table) => fail('schema.tooMany', { table: name, limit: maxVirtual });

/** Aliases of relations without a foreign key. */
const virtualRelationAliases = (aliases: Map<string, string | null>, { description }: Table): string[] =>
  [...aliases].flatMap(([name, alias]) =>
    alias !== null && !description.related.some((relation) => relation.name === name) ? [alias] : [],
  );

/** Names that a database tells apart by letter case stand for one: such columns are its own affair. */
const lowerNames = (names: string[]): string[] => [...new Set(names.map((name) => name.toLowerCase()))];

function refuseDuplicates(names: string[], changedNames: string[], place: string): void {
  const seen = new Set<string>();
  const duplicates = new Set<string>();
  for (const lower of names.map((name) => name.toLowerCase())) (seen.has(lower) ? duplicates : seen).add(lower);
  const duplicate = changedNames.find((changed) => duplicates.has(changed.toLowerCase()));
  if (duplicate !== undefined) throw fail('schema.nameTaken', { name: duplicate, place });
}
