import { isDeepStrictEqual } from 'node:util';
import { fail, type SimpleType, simpleTypes } from '@sluice/contract';
import { type Column, labelOf } from '@sluice/sql';
import type { RecordInput } from '../../call/payload.ts';
import { fitsColumnType } from './apply-overrides.ts';
import { parseFunctions } from './functions.ts';
import {
  type ExtrasInput,
  inputAlias,
  inputClientInfo,
  inputDescription,
  inputFlag,
  inputOverride,
  inputPicklist,
  inputValidation,
  lowerCaseKeys,
  requireName,
  typeNameOf,
} from './input.ts';
import { removeRelation } from './plan-relation.ts';
import {
  type ChangeContext,
  type ChangePlan,
  type ExtrasChange,
  type FieldRow,
  rowChange,
  rowsNamed,
  rowsOf,
  type StoredExtras,
} from './rows.ts';

/**
 * What is said of a field as it is sent, by its real name in any case: of a column, of a virtual field, or of a new virtual one.
 * The table of the context has the columns that come with the same request.
 */
export function planField(field: RecordInput): ChangePlan {
  const values = lowerCaseKeys(field);
  return (stored, context) => {
    const name = typeof values.name === 'string' ? values.name.trim() : '';
    if (name === '') throw fail('schema.noName');
    const { table } = context;
    const column = table.column(name);
    const existing = storedField(stored, context, column?.native ?? name, column === undefined);
    const isVirtual = inputFlag({ name, values }, 'is_virtual', 0) === 1 || values.type === 'virtual';
    const subject = { field: existing?.field ?? column?.native ?? name, table: table.name };
    if (column) {
      if (isVirtual) throw fail('schema.notVirtual', subject);
      const input = { name: column.native, values };
      const extraType = inputExtraType(column, values, existing?.extra_type ?? null);
      return planFieldRow(input, existing, { is_virtual: 0, is_aggregate: 0, extra_type: extraType }, context, column);
    }
    if (existing && values.is_virtual !== undefined && !isVirtual) throw fail('schema.virtual', subject);
    const input = { name: subject.field, values };
    if (!existing) requireName(input);
    const kind = {
      is_virtual: 1,
      is_aggregate: inputFlag(input, 'is_aggregate', existing?.is_aggregate ?? 0),
      extra_type: inputVirtualType(input, existing?.extra_type ?? null),
    };
    return planFieldRow(input, existing, kind, context);
  };
}

/** Drops a virtual field with the virtual relations on it; one that does not exist needs no change. */
export function planFieldDrop(name: string): ChangePlan {
  return (stored, context) => {
    const { table, isAdmin } = context;
    const existing = storedField(stored, context, name, true);
    if (!existing) return [];
    // The function would be dropped with the field.
    if (!isAdmin && existing.db_function !== null)
      throw fail('schema.adminOnly', { what: 'the db_function of a field' });
    const names = [existing.field, existing.alias ?? existing.field];
    const relations = rowsOf(stored.rows.db_virtual_relationship, table.name).filter((row) =>
      row.field.split(',').some((part) => names.includes(part)),
    );
    return [
      { table: 'db_field_extras', key: { table: table.name, field: existing.field } },
      ...relations.flatMap((row) => removeRelation(row, stored)),
    ];
  };
}

/** The row of a column, or of a virtual field in any case. A row left over from the other kind does not count. */
function storedField(
  { rows }: StoredExtras,
  { table }: ChangeContext,
  name: string,
  isVirtual: boolean,
): FieldRow | undefined {
  if (!isVirtual) return rowsNamed(rows.db_field_extras, table.name, name).find((row) => row.is_virtual === 0);
  const lower = name.toLowerCase();
  return rowsOf(rows.db_field_extras, table.name).find(
    (row) => row.is_virtual === 1 && row.field.toLowerCase() === lower,
  );
}

const emptyFieldRow = {
  alias: null,
  label: null,
  description: null,
  picklist: null,
  validation: null,
  client_info: null,
  db_function: null,
};

type FieldKind = Pick<FieldRow, 'is_virtual' | 'is_aggregate' | 'extra_type'>;

function planFieldRow(
  input: ExtrasInput,
  existing: FieldRow | undefined,
  kind: FieldKind,
  { table, isAdmin }: ChangeContext,
  column?: Column,
): ExtrasChange[] {
  const key = { table: table.name, field: input.name };
  const stored = existing ?? emptyFieldRow;
  const row: FieldRow = {
    table: table.name,
    field: input.name,
    alias: inputAlias(input, stored.alias),
    label: inputOverride(input, 'label', stored.label, labelOf(input.name)),
    description: inputDescription(input, stored.description),
    picklist: inputPicklist(input, stored.picklist),
    validation: inputValidation(input, stored.validation),
    client_info: inputClientInfo(input, stored.client_info),
    db_function: inputFunctions(input, stored.db_function),
    is_virtual: kind.is_virtual,
    is_aggregate: kind.is_aggregate,
    extra_type: kind.extra_type,
  };
  // A value of the database that is sent back is not stored.
  if (column && row.description === column.description.description) row.description = null;
  if (column && row.validation === JSON.stringify(column.description.validation)) row.validation = null;
  if (!isAdmin && row.alias !== stored.alias) throw fail('schema.adminOnly', { what: 'the alias of a field' });
  if (row.db_function !== stored.db_function) {
    if (!isAdmin) throw fail('schema.adminOnly', { what: 'the db_function of a field' });
    if (row.db_function !== null && column?.description.is_primary_key)
      throw fail('schema.function', { field: input.name, problem: 'a key is found by what is stored' });
  }
  return rowChange('db_field_extras', key, existing, row);
}

function inputFunctions(input: ExtrasInput, stored: string | null): string | null {
  const value = input.values.db_function;
  if (value === undefined) return stored;
  // Sent back as it was shown, it stays as it was stored.
  if (stored !== null && isDeepStrictEqual(value, JSON.parse(stored))) return stored;
  const functions = parseFunctions(value, input.name);
  return functions === null ? null : JSON.stringify(functions);
}

// ---- types ----

const isSimpleType = (type: string): type is SimpleType => simpleTypes.includes(type as SimpleType);

/** The extra type of a column, which the database does not know. */
function inputExtraType({ description }: Column, values: ExtrasInput['values'], stored: string | null): string | null {
  if (values.type === undefined || values.type === null) return stored;
  const type = typeNameOf(values.type);
  if (type === description.type) return null;
  return isSimpleType(type) && fitsColumnType(description.type, type) ? type : null;
}

/** Types of columns that are filled automatically; a virtual field has a type of values. */
const automaticTypes = /^(id|reference|user_id_on_.*|timestamp_on_.*)$/;

function inputVirtualType({ name, values }: ExtrasInput, stored: string | null): string | null {
  if (values.type === undefined || values.type === null) return stored;
  const type = typeNameOf(values.type);
  if (type === 'virtual') return stored;
  if (!isSimpleType(type) || automaticTypes.test(type))
    throw fail('schema.fieldType', { field: name, type: type.slice(0, 40) });
  return type;
}
