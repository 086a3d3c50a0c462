import { isDeepStrictEqual } from 'node:util';
import { fail, type RelationKind, relationKinds } from '@sluice/contract';
import { labelOf } from '@sluice/sql';
import type { RecordInput } from '../../call/payload.ts';
import { stringifyInput } from '../../call/payload.ts';
import { virtualRelationName } from './extras.ts';
import {
  type ExtrasInput,
  inputAlias,
  inputDescription,
  inputFlag,
  inputOverride,
  inputText,
  lowerCaseKeys,
} from './input.ts';
import {
  type ChangeContext,
  type ChangePlan,
  type ExtrasChange,
  type RelationRow,
  rowChange,
  rowsNamed,
  rowsOf,
  type StoredExtras,
  type VirtualRow,
} from './rows.ts';

/**
 * A relation as it is sent. A relation by a foreign key must be named, and only what is said of it is stored; a virtual one is
 * identified by what it joins. A named one that now joins something else is replaced.
 */
export function planRelation(relation: RecordInput): ChangePlan {
  const values = lowerCaseKeys(relation);
  return (stored, context) => {
    const { table } = context;
    const inputName = typeof values.name === 'string' ? values.name.trim() : '';
    const isNative = (name: string) =>
      table.description.related.some((relation) => relation.name.toLowerCase() === name.toLowerCase());
    if (inputFlag({ name: inputName, values }, 'is_virtual', 0) === 0) {
      if (inputName === '') throw fail('schema.noName');
      const native = table.description.related.find((relation) => relation.name === inputName);
      const row = planRelationRow({ name: inputName, values }, stored, context, inputName);
      if (!native && !findVirtualRow(stored, context, inputName) && !context.isNew)
        throw fail('table.noRelations', { table: table.name });
      return row;
    }
    const row = parseVirtualRow({ name: inputName, values }, stored, context);
    const name = virtualRelationName(row, stored);
    if (isNative(name)) throw fail('schema.relationExists', { relation: name, table: table.name });
    const names = inputName === '' ? [name] : [inputName, name];
    const existing = names.flatMap((each) => findVirtualRow(stored, context, each) ?? []);
    return [
      ...existing
        .filter((other) => !isSameRelation(other, row))
        .flatMap((other) => removeRelation(other, stored, name)),
      ...(existing.some((other) => isDeepStrictEqual(other, row))
        ? []
        : [{ table: 'db_virtual_relationship', key: identityOf(row), row } as const]),
      ...planRelationRow({ name, values }, stored, context, inputName),
    ];
  };
}

/** Drops a virtual relation, and of another what is said of it. One that does not exist needs no change. */
export function planRelationDrop(name: string): ChangePlan {
  return (stored, context) => {
    const row = findVirtualRow(stored, context, name);
    if (row) return removeRelation(row, stored);
    const key = { table: context.table.name, relationship: name };
    const isStored = rowsNamed(stored.rows.db_relationship_extras, key.table, name).length > 0;
    return isStored ? [{ table: 'db_relationship_extras', key }] : [];
  };
}

/** Removes a relation, and what is said of it unless one of the same name replaces it. */
export function removeRelation(row: VirtualRow, stored: StoredExtras, replacement?: string): ExtrasChange[] {
  const relationship = virtualRelationName(row, stored);
  return [
    { table: 'db_virtual_relationship', key: identityOf(row) },
    ...(relationship === replacement
      ? []
      : [{ table: 'db_relationship_extras', key: { table: row.table, relationship } } as const]),
  ];
}

const findVirtualRow = (stored: StoredExtras, { table }: ChangeContext, name: string): VirtualRow | undefined =>
  rowsOf(stored.rows.db_virtual_relationship, table.name).find((row) => virtualRelationName(row, stored) === name);

/** A relation is identified by what it joins, and not by its rules. */
export const identityOf = ({ ref_on_update, ref_on_delete, ...identity }: VirtualRow) => identity;

const isSameRelation = (one: VirtualRow, other: VirtualRow): boolean =>
  isDeepStrictEqual(identityOf(one), identityOf(other));

/** What is said of a relation; a replaced one passes it on. */
function planRelationRow(
  input: ExtrasInput,
  { rows }: StoredExtras,
  { table }: ChangeContext,
  replacedName: string,
): ExtrasChange[] {
  const key = { table: table.name, relationship: input.name };
  const rowOf = (name: string) => rowsNamed(rows.db_relationship_extras, table.name, name)[0];
  const existing = rowOf(input.name);
  const stored = existing ?? rowOf(replacedName) ?? emptyRelationRow;
  const row: RelationRow = {
    ...key,
    alias: inputAlias(input, stored.alias),
    label: inputOverride(input, 'label', stored.label, labelOf(input.name)),
    description: inputDescription(input, stored.description),
    always_fetch: inputFlag(input, 'always_fetch', stored.always_fetch),
    flatten: inputFlag(input, 'flatten', stored.flatten),
    flatten_drop_prefix: inputFlag(input, 'flatten_drop_prefix', stored.flatten_drop_prefix),
  };
  return rowChange('db_relationship_extras', key, existing, row);
}

const emptyRelationRow = {
  alias: null,
  label: null,
  description: null,
  always_fetch: 0,
  flatten: 0,
  flatten_drop_prefix: 0,
};

// ---- what a virtual relation joins ----

function parseVirtualRow(input: ExtrasInput, stored: StoredExtras, context: ChangeContext): VirtualRow {
  const { table } = context;
  const type = stringifyInput(input.values.type).toLowerCase();
  if (!relationKinds.includes(type as RelationKind)) throw fail('schema.relationType');
  const isThrough = type === 'many_many';
  const row: VirtualRow = {
    table: table.name,
    type,
    field: columnList(input, 'field'),
    ref_service_id: inputService(input, 'ref_service', stored, context),
    ref_table: requireText(input, 'ref_table'),
    ref_field: columnList(input, 'ref_field'),
    ref_on_update: inputText(input, 'ref_on_update', null, 40),
    ref_on_delete: inputText(input, 'ref_on_delete', null, 40),
    junction_service_id: isThrough ? inputService(input, 'junction_service', stored, context) : null,
    junction_table: isThrough ? requireText(input, 'junction_table') : null,
    junction_field: isThrough ? columnList(input, 'junction_field') : null,
    junction_ref_field: isThrough ? columnList(input, 'junction_ref_field') : null,
  };
  const isAlias = (name: string) => rowsOf(stored.rows.db_field_extras, table.name).some((row) => row.alias === name);
  const missing = row.field.split(',').find((name) => !table.column(name) && !isAlias(name));
  if (missing !== undefined) throw fail('schema.relationField', { field: missing, table: table.name });
  requireEqualLengths(row);
  return row;
}

/** Each column of one side is joined with that at the same place of the other. */
function requireEqualLengths({ field, ref_field, junction_field, junction_ref_field }: VirtualRow): void {
  const lengthOf = (list: string | null) => list?.split(',').length;
  const isEqual =
    junction_field === null
      ? lengthOf(field) === lengthOf(ref_field)
      : lengthOf(field) === lengthOf(junction_field) && lengthOf(ref_field) === lengthOf(junction_ref_field);
  if (!isEqual) throw fail('schema.relationLengths');
}

function requireText(input: ExtrasInput, key: string): string {
  const text = inputText(input, key, null);
  if (text === null) throw fail('schema.relationElement', { element: key });
  return text;
}

const columnList = (input: ExtrasInput, key: string): string =>
  requireText(input, key)
    .split(',')
    .map((name) => name.trim())
    .join(',');

/**
 * A service by `{key}_id`, or by its name; without either this service. One that the caller may not know of is refused as one
 * that does not exist, unless a relation of this service leads there already: that one shows it.
 */
function inputService(
  { values }: ExtrasInput,
  key: string,
  { service, names, rows }: StoredExtras,
  { knowsService }: ChangeContext,
): number {
  const id = stringifyInput(values[`${key}_id`] ?? '');
  const name = stringifyInput(values[key] ?? '');
  if (id === '' && name === '') return service;
  const match = Object.entries(names).find(([serviceId, serviceName]) =>
    id === '' ? serviceName.toLowerCase() === name.toLowerCase() : serviceId === id,
  );
  const found = Number(match?.[0]);
  const isShown = ({ ref_service_id, junction_service_id }: VirtualRow) =>
    ref_service_id === found || junction_service_id === found;
  if (match && (found === service || knowsService(match[1]) || rows.db_virtual_relationship.some(isShown)))
    return found;
  throw fail('schema.relationService', { service: (id || name).slice(0, 40) });
}
