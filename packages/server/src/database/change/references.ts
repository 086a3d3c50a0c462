// References as a description tells them beside its fields, and those of fields once their tables are known.
import { fail, truthy } from '@sluice/contract';
import type { ReferenceDefinition, Table } from '@sluice/sql';
import { isRecord, type RecordInput, stringifyInput } from '../../call/payload.ts';
import { type ExtrasInput, lowerCaseKeys } from '../extras/input.ts';
import type { ReferenceInput } from './read-field.ts';

/** A foreign key as a description tells it, its rules under the names they have in a field. */
export interface ForeignKeyInput {
  input: ExtrasInput;
  columns: string[];
  refTable: string;
  refFields: string[];
}

/** Fields, relations or constraints that a change of a table names. */
const maxParts = 1000;

/** Refused before they are read: each is compared with the others. Throws `schema.tooManyParts`. */
export function limitParts<T>(table: string, parts: T[]): T[] {
  if (parts.length > maxParts) throw fail('schema.tooManyParts', { table: table.slice(0, 200), limit: maxParts });
  return parts;
}

/** Those in `constraints`. */
export function readConstraints(table: string, constraints: unknown): ForeignKeyInput[] {
  if (!isRecord(constraints)) return [];
  return limitParts(table, Object.entries(constraints)).flatMap(([name, constraint]) => {
    if (!isRecord(constraint)) return [];
    const values = lowerCaseKeys(constraint);
    if (stringifyInput(values.constraint_type).toUpperCase() !== 'FOREIGN KEY') return [];
    const rules = { ref_on_update: values.update_rule, ref_on_delete: values.delete_rule };
    return foreignKeyInput(
      name,
      rules,
      values.column_name,
      values.referenced_table_name,
      values.referenced_column_name,
    );
  });
}

/** Of relations, those that fields of the table make. */
export const readOwnRelations = (related: RecordInput[]): ForeignKeyInput[] =>
  related.flatMap((relation) => {
    const values = lowerCaseKeys(relation);
    const isOwn = values.type === 'belongs_to' && !truthy(values.is_virtual);
    return isOwn
      ? foreignKeyInput(stringifyInput(values.name), values, values.field, values.ref_table, values.ref_field)
      : [];
  });

function foreignKeyInput(
  name: string,
  values: Record<string, unknown>,
  columns: unknown,
  refTable: unknown,
  refColumns: unknown,
): ForeignKeyInput[] {
  if (typeof refTable !== 'string' || refTable === '') return [];
  return [
    { input: { name, values }, columns: columnList(name, columns), refTable, refFields: columnList(name, refColumns) },
  ];
}

/** Characters of the names of columns that refer together: the servers take 16 or 32 columns. */
const maxNamesLength = 10_000;

function columnList(constraint: string, value: unknown): string[] {
  const names = stringifyInput(value);
  if (names.length > maxNamesLength)
    throw fail('schema.value', {
      name: constraint.slice(0, 200),
      key: 'constraints',
      problem: `must name its fields in ${maxNamesLength} characters`,
    });
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The real name of a column of a table that is referenced. */
export function columnOf(target: Table, name: string, field: string): string {
  const column = target.column(name);
  if (!column)
    throw fail('schema.value', {
      name: field,
      key: 'ref_field',
      problem: `names no field: table '${target.name}' has no '${name.slice(0, 200)}'`,
    });
  return column.native;
}

/** A reference to a table that is there, by its key where no field is named. */
export function toReference(reference: ReferenceInput, target: Table): ReferenceDefinition {
  const [key, ...otherKeys] = target.key;
  if (reference.refField === null && (!key || otherKeys.length > 0))
    throw fail('schema.value', {
      name: reference.field,
      key: 'ref_field',
      problem: `is needed: table '${target.name}' has no key of one field`,
    });
  const refColumn = reference.refField === null ? key!.native : columnOf(target, reference.refField, reference.field);
  const { onUpdate, onDelete } = reference;
  return { columns: [reference.field], refTable: target.name, refColumns: [refColumn], onUpdate, onDelete };
}
