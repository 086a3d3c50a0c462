// What is sent of a table, made into the rows to put: other names, labels, fields and relations. Decided without I/O, on
// what is stored and on the table as the database has it; whatever would change the database itself is refused before
// anything is saved.
import { fail } from '@sluice/contract';
import { labelOf, pluralOf, type Table } from '@sluice/sql';
import type { RecordInput } from '../../call/payload.ts';
import { wordOf } from '../../call/payload.ts';
import { changedField, dropField } from './change-field.ts';
import { changedRelation } from './change-relation.ts';
import { type Change, type Place, type Put, putOf, type StoredExtras, type TableRow, withPuts } from './rows.ts';
import { aliasOf, descriptionOf, listOf, lowered, type Sent, textOf, toldText } from './sent.ts';

/** Virtual fields and relations of one table, and changes of one call: tables may have 2,000 columns. */
const mostVirtual = 500;
const mostChanges = 2500;

/** Several changes after one another, and then whether the names that come of them are all different. */
export const allOf =
  (changes: Change[]): Change =>
  (stored, place) => {
    if (changes.length > mostChanges) throw fail('record.batchTooLarge', { limit: mostChanges });
    let now = stored;
    const puts = changes.flatMap((change) => {
      const its = change(now, place);
      now = withPuts(now, its);
      return its;
    });
    if (puts.length > 0) checkResult(puts, now, place);
    return puts;
  };

/** A table as it is sent; `isWhole`: fields that are not in its list are dropped (contract/database-schema.md §1, PUT). */
export function changedTable(sent: RecordInput, isWhole: boolean): Change {
  const values = lowered(sent);
  const fields = 'field' in values ? listOf(values.field) : [];
  const related = 'related' in values ? listOf(values.related) : [];
  return allOf([
    changedOwn(values),
    ...fields.map(changedField),
    ...(isWhole && fields.length > 0 ? [withoutOthers(fields)] : []),
    ...related.map(changedRelation),
  ]);
}

function changedOwn(values: Sent['values']): Change {
  return ({ rows }, { table, isAdmin }) => {
    const { name, description } = table.description;
    const key = { table: name };
    const old = rows.db_table_extras.find((it) => it.table === name);
    const stored = old ?? { ...key, alias: null, label: null, plural: null, description: null, name_field: null };
    const sent = { name, values };
    const label = toldText(sent, 'label', stored.label, labelOf(name));
    const row: TableRow = {
      ...key,
      alias: aliasOf(sent, stored.alias),
      label,
      plural: toldText(sent, 'plural', stored.plural, pluralOf(label ?? labelOf(name))),
      description: descriptionOf(sent, stored.description),
      name_field: textOf(sent, 'name_field', stored.name_field),
    };
    if (row.description === description) row.description = null;
    if (row.alias !== stored.alias && !isAdmin) throw fail('schema.adminOnly', { what: 'the alias of a table' });
    return putOf('db_table_extras', key, old, row);
  };
}

function withoutOthers(fields: RecordInput[]): Change {
  const kept = new Set(fields.map((it) => wordOf(lowered(it).name).toLowerCase()));
  return (stored, place) => {
    const gone = place.table.columns.find((it) => !kept.has(it.native.toLowerCase()));
    if (gone) throw fail('table.alterLater', { what: `field '${gone.native}' would be dropped` });
    return stored.rows.db_field_extras
      .filter((it) => it.table === place.table.name && it.is_virtual === 1 && !kept.has(it.field.toLowerCase()))
      .flatMap((it) => dropField(it.field)(stored, place));
  };
}

// ---- what comes of it ----

/** Names of one address must tell things apart, whatever their case; names that nothing changed are left alone. */
function checkResult(puts: Put[], { rows }: StoredExtras, { table, tables }: Place): void {
  const own = <R extends { table: string }>(list: R[]) => list.filter((it) => it.table === table.name);
  const fields = own(rows.db_field_extras);
  const virtual = fields.filter((it) => it.is_virtual === 1);
  if (virtual.length + own(rows.db_virtual_relationship).length > mostVirtual)
    throw fail('schema.tooMany', { table: table.name, limit: mostVirtual });
  const aliases = new Map(rows.db_table_extras.map((it) => [it.table, it.alias]));
  refuseTwice(
    tables.map((it) => aliases.get(it) ?? it),
    puts.flatMap((it) => (it.in === 'db_table_extras' && it.row?.alias ? [it.row.alias] : [])),
    'the service',
  );
  const fieldAliases = new Map(fields.map((it) => [it.field, it.alias]));
  const relationAliases = new Map(own(rows.db_relationship_extras).map((it) => [it.relationship, it.alias]));
  const relations = table.description.related.map((it) => relationAliases.get(it.name) ?? it.name);
  refuseTwice(
    [
      ...[...table.columns.map((it) => it.native), ...virtual.map((it) => it.field)].map(
        (it) => fieldAliases.get(it) ?? it,
      ),
      ...relations,
      ...virtualRelationAliases(relationAliases, table),
    ],
    puts.flatMap((it) => {
      if (it.in === 'db_field_extras' && it.row) return [it.row.alias ?? it.row.field];
      return it.in === 'db_relationship_extras' && it.row?.alias ? [it.row.alias] : [];
    }),
    `table '${table.name}'`,
  );
}

/** Aliases of relations no foreign key stands for. */
const virtualRelationAliases = (aliases: Map<string, string | null>, { description }: Table): string[] =>
  [...aliases].flatMap(([name, alias]) =>
    alias !== null && !description.related.some((it) => it.name === name) ? [alias] : [],
  );

function refuseTwice(names: string[], changed: string[], place: string): void {
  const all = names.map((it) => it.toLowerCase());
  const twice = changed.find((it) => all.filter((name) => name === it.toLowerCase()).length > 1);
  if (twice !== undefined) throw fail('schema.nameTaken', { name: twice, place });
}
