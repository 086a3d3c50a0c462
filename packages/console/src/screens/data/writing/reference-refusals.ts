// Refusals of foreign keys in words: which field refers to no record, and which tables still refer to one. Pure.
import { ApiError } from '../../../api/index.ts';
import { text } from '../../../text/index.ts';
import { pairedColumns, splitColumns } from '../address/relation-columns.ts';
import type { Row, Schema } from '../address/sources.ts';

/** How SQLite, PostgreSQL, MariaDB and MySQL number them (contract/database-tables.md §7). Their texts may be in any language. */
const refusalCodes = new Set(['787', '23503', '1216', '1217', '1451', '1452']);

/** The database's text where it refused the record at this place of a call for a foreign key. */
function refusalText(error: unknown, index: number): string | undefined {
  if (!(error instanceof ApiError)) return undefined;
  const { resource } = (error.context ?? {}) as { resource?: unknown };
  const item = (Array.isArray(resource) ? resource[index] : error) as { code?: unknown; message?: unknown } | undefined;
  return refusalCodes.has(String(item?.code)) ? String(item?.message ?? '') : undefined;
}

interface Reference {
  columns: readonly string[];
  table: string;
  fields: readonly string[];
}

/** The foreign keys of a table: those of several columns, and each other field that has one. */
function foreignKeysOf(schema: Schema): Reference[] {
  const joint = schema.related
    .filter(({ type, is_virtual }) => type === 'belongs_to' && !is_virtual)
    .map(({ field, ref_table, ref_field }) => {
      const columns = splitColumns(field, schema);
      return { columns, table: ref_table ?? '', fields: pairedColumns(ref_field, columns) ?? [] };
    })
    .filter(({ columns }) => columns.length > 1);
  const single = schema.field
    .filter(({ name, is_foreign_key }) => is_foreign_key && !joint.some(({ columns }) => columns.includes(name)))
    .map(({ name, ref_table, ref_field }) => ({ columns: [name], table: ref_table ?? '', fields: [ref_field ?? ''] }));
  return [...joint, ...single];
}

/**
 * What is wrong with the references of a record that was sent, by field; of several that may be meant, none is accused. Undefined
 * where it was not refused for one.
 */
export function missingReferenceErrors(
  error: unknown,
  index: number,
  schema: Schema,
  record: Row,
): Readonly<Record<string, string>> | undefined {
  const message = refusalText(error, index);
  if (message === undefined) return undefined;
  const sent = foreignKeysOf(schema).filter(({ columns }) =>
    columns.some((name) => record[name] !== undefined && record[name] !== null),
  );
  const named = sent.filter(({ columns }) => isNamed(message, columns, schema));
  const [reference, ...others] = named.length > 0 ? named : sent;
  if (!reference) return undefined;
  const { columns, table, fields } = reference;
  if (others.length > 0) {
    const names = [reference, ...others].flatMap(({ columns }) => columns).join(', ');
    return { '': text('data:reference.oneMissing', { fields: names }) };
  }
  const reason =
    columns.length > 1
      ? text('data:reference.missingTogether', { table, fields: fields.join(', ') })
      : text('data:reference.missing', { table, field: fields[0] ?? '' });
  return { [columns[0] ?? '']: reason };
}

/** MySQL names the columns of the key; PostgreSQL its constraint, which the table's description knows. */
function isNamed(message: string, columns: readonly string[], schema: Schema): boolean {
  if (message.includes(`FOREIGN KEY (${columns.map((name) => `\`${name}\``).join(', ')})`)) return true;
  return Object.values(schema.constraints).some(
    ({ constraint_name, column_name }) =>
      message.includes(`"${constraint_name}"`) && String(column_name) === columns.join(','),
  );
}

/** Which tables still refer to a record that was to be deleted, with the database's own words; undefined for other refusals. */
export function stillUsedText(error: unknown, index: number, schema: Schema): string | undefined {
  const message = refusalText(error, index);
  const tables = schema.related
    .filter(({ type, is_virtual }) => (type === 'has_many' || type === 'has_one') && !is_virtual)
    .flatMap(({ ref_table }) => ref_table ?? []);
  if (message === undefined || tables.length === 0) return undefined;
  const named = tables.filter((table) => {
    const name = table.split('.').at(-1);
    return message.includes(`on table "${name}"`) || message.includes(`.\`${name}\``);
  });
  const names = [...new Set(named.length > 0 ? named : tables)].join(', ');
  return `${text('data:reference.stillUsed', { tables: names })} (${message})`;
}
