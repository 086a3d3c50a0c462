// What extras say of a table or a field: of the service itself, and virtual relations of others that lead there.

import type { UsageEntry, UsageSentenceId } from '@sluice/contract';
import { oncePer } from '@sluice/sql';
import type { Db } from '../../store/index.ts';
import { virtualRelationName } from '../extras/extras.ts';
import type { FieldFunction } from '../extras/functions.ts';
import { endsAt, joinsBy } from '../extras/names.ts';
import { type FieldRow, rowsNamed, rowsOf, type StoredExtras, type VirtualRow } from '../extras/rows.ts';
import { tell } from './entry.ts';
import type { UsageSubject, UsageTable } from './subject.ts';

/** The places in the extras of the service of the table. */
export function findInExtras(stored: StoredExtras, subject: UsageSubject): UsageEntry[] {
  const { rows, service, names } = stored;
  const { at, field, fieldNames = [] } = subject;
  const entry = (id: UsageSentenceId, values: Record<string, string> = {}): UsageEntry => ({
    kind: 'extras',
    id: service,
    name: names[service] ?? '',
    ...tell(id, values),
    onRename: 'follows',
    onDrop: 'removed',
  });
  const tableRows = rowsOf(rows.db_table_extras, at.table);
  const own: UsageEntry[] =
    field === undefined
      ? [
          ...tableRows.map((row) => entry('saysOfTable', { said: said(row) })),
          ...rowsOf(rows.db_field_extras, at.table).map((row) =>
            entry('saysOfNamedField', { field: row.field, said: said(row) }),
          ),
          ...rowsOf(rows.db_relationship_extras, at.table).map((row) =>
            entry('saysOfRelation', { relation: row.relationship, said: said(row) }),
          ),
        ]
      : [
          ...rowsNamed(rows.db_field_extras, at.table, field)
            .filter((row) => row.is_virtual === 0)
            .map((row) => entry('saysOfField', { said: said(row) })),
          ...tableRows
            .filter(({ name_field }) => name_field !== null && fieldNames.includes(name_field))
            .map(() => entry('namesRecords')),
        ];
  return [...own, ...findInFunctions(stored, subject), ...findInRelations(stored, subject)];
}

/** The columns of a row that say something. */
const said = (row: object): string =>
  Object.entries(row)
    .filter(([name, value]) => !['table', 'field', 'relationship'].includes(name) && value !== null && value !== 0)
    .map(([name]) => name)
    .join(', ');

// ---- db_function ----

/** SQL that has the name as a word; nobody rewrites SQL of an administrator. */
function findInFunctions({ rows, service, names }: StoredExtras, { at, field }: UsageSubject): UsageEntry[] {
  const isWord = wordTest(field ?? at.table);
  return (
    functionsOf(rows.db_field_extras)
      .filter(({ row }) => field === undefined || row.table === at.table)
      // The function of the field itself goes with it.
      .filter(({ texts }) => texts.some(isWord))
      .map(({ row }) => {
        const isOwn = row.table === at.table && (field === undefined || row.field === field);
        return {
          kind: 'extras',
          id: service,
          name: names[service] ?? '',
          ...tell('function', { field: row.field, table: row.table }),
          onRename: 'stays',
          onDrop: isOwn ? 'removed' : 'stays',
        };
      })
  );
}

/** The fields that have some, with their SQL; read once for all that is looked for. */
const functionsOf = oncePer((rows: readonly FieldRow[]) =>
  rows.flatMap((row) => {
    if (row.db_function === null) return [];
    const texts = (JSON.parse(row.db_function) as FieldFunction[]).map((item) => item.function);
    return [{ row, texts }];
  }),
);

/** Whether a text has a name that no letter, digit or underscore follows or precedes. */
function wordTest(name: string): (text: string) => boolean {
  const lowerName = name.toLowerCase();
  const isLetter = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}_$]/u.test(letter);
  return (text) => {
    const lower = text.toLowerCase();
    for (let at = lower.indexOf(lowerName); at >= 0; at = lower.indexOf(lowerName, at + 1))
      if (!isLetter(lower[at - 1]) && !isLetter(lower[at + lowerName.length])) return true;
    return false;
  };
}

// ---- virtual relations ----

/** The virtual relations of a service that lead to a table, or join by a field of it. */
export function findInRelations(stored: StoredExtras, { at, fieldNames }: UsageSubject): UsageEntry[] {
  const { rows, service, names } = stored;
  const isNaming = (row: VirtualRow) =>
    fieldNames ? joinsBy(row, service, at, fieldNames) : endsAt(row, service, at).length > 0;
  return rows.db_virtual_relationship.filter(isNaming).map((row) => ({
    kind: 'virtualRelation',
    id: service,
    name: names[service] ?? '',
    ...tell(fieldNames ? 'relationByField' : 'relationOfTable', {
      relation: virtualRelationName(row, stored),
      table: row.table,
    }),
    onRename: 'follows',
    onDrop: 'removed',
  }));
}

/** The other services whose virtual relations may lead to a table of this one. */
export async function servicesLeadingTo(db: Db, { service }: Pick<UsageTable, 'service'>): Promise<number[]> {
  const rows = await db
    .selectFrom('db_virtual_relationship')
    .select('service_id')
    .distinct()
    .where('service_id', '!=', service)
    .where((where) => where.or([where('ref_service_id', '=', service), where('junction_service_id', '=', service)]))
    .orderBy('service_id')
    .execute();
  return rows.map(({ service_id }) => service_id);
}
