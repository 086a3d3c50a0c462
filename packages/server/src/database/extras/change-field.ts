import { isDeepStrictEqual } from 'node:util';
import { type FieldDescription, fail, type SimpleType, simpleTypes, truthy } from '@sluice/contract';
import { type Column, labelOf } from '@sluice/sql';
import type { RecordInput } from '../../call/payload.ts';
import { wordOf } from '../../call/payload.ts';
import { withoutRelation } from './change-relation.ts';
import { fits } from './dress.ts';
import { readFunctions } from './functions.ts';
import { type Change, type FieldRow, type Place, type Put, putOf, type StoredExtras } from './rows.ts';
import {
  aliasOf,
  clientInfoOf,
  descriptionOf,
  flagOf,
  lowered,
  newName,
  picklistOf,
  type Sent,
  toldText,
  validationOf,
} from './sent.ts';

/** A field as it is sent, by its real name in any case: one of the database, a virtual one, or a new virtual one. */
export function changedField(field: RecordInput): Change {
  const values = lowered(field);
  return (stored, place) => {
    const asked = typeof values.name === 'string' ? values.name.trim() : '';
    if (asked === '') throw fail('schema.noName');
    const { table } = place;
    const column = table.column(asked);
    const old = storedField(stored, place, column?.native ?? asked, column === undefined);
    const isVirtual = flagOf({ name: asked, values }, 'is_virtual', 0) === 1 || values.type === 'virtual';
    const context = { field: old?.field ?? column?.native ?? asked, table: table.name };
    if (column) {
      if (isVirtual) throw fail('schema.notVirtual', context);
      const sent = { name: column.native, values };
      const extraType = extraTypeOf(column, values, old?.extra_type ?? null);
      refuseDifference(column, values);
      return putField(sent, old, { is_virtual: 0, is_aggregate: 0, extra_type: extraType }, place, column);
    }
    if (!old && !isVirtual) throw fail('table.alterLater', { what: `field '${context.field}' would be made` });
    if (old && values.is_virtual !== undefined && !isVirtual) throw fail('schema.virtual', context);
    const sent = { name: context.field, values };
    if (!old) newName(sent);
    const is = {
      is_virtual: 1,
      is_aggregate: flagOf(sent, 'is_aggregate', old?.is_aggregate ?? 0),
      extra_type: virtualType(sent, old?.extra_type ?? null),
    };
    return putField(sent, old, is, place);
  };
}

/** A virtual field goes with the virtual relations on it; one that is not there is gone already. */
export function dropField(name: string): Change {
  return (stored, place) => {
    const { table, isAdmin } = place;
    if (table.column(name)) throw fail('table.alterLater', { what: `field '${name}' would be dropped` });
    const old = storedField(stored, place, name, true);
    if (!old) return [];
    // It would go with the field.
    if (!isAdmin && old.db_function !== null) throw fail('schema.adminOnly', { what: 'the db_function of a field' });
    const names = [old.field, old.alias ?? old.field];
    const relations = stored.rows.db_virtual_relationship.filter(
      (it) => it.table === table.name && it.field.split(',').some((part) => names.includes(part)),
    );
    return [
      { in: 'db_field_extras', key: { table: table.name, field: old.field } },
      ...relations.flatMap((it) => withoutRelation(it, stored)),
    ];
  };
}

/** The row of a column, or of a virtual field in any case. What is left of one that became the other is no more. */
function storedField({ rows }: StoredExtras, { table }: Place, name: string, isVirtual: boolean): FieldRow | undefined {
  const own = rows.db_field_extras.filter((it) => it.table === table.name && it.is_virtual === Number(isVirtual));
  const lower = name.toLowerCase();
  return own.find((it) => (isVirtual ? it.field.toLowerCase() === lower : it.field === name));
}

const nothing = {
  alias: null,
  label: null,
  description: null,
  picklist: null,
  validation: null,
  client_info: null,
  db_function: null,
};

type Is = Pick<FieldRow, 'is_virtual' | 'is_aggregate' | 'extra_type'>;

function putField(sent: Sent, old: FieldRow | undefined, is: Is, { table, isAdmin }: Place, column?: Column): Put[] {
  const key = { table: table.name, field: sent.name };
  const stored = old ?? { ...key, ...nothing };
  const row: FieldRow = {
    ...key,
    alias: aliasOf(sent, stored.alias),
    label: toldText(sent, 'label', stored.label, labelOf(sent.name)),
    description: descriptionOf(sent, stored.description),
    picklist: picklistOf(sent, stored.picklist),
    validation: validationOf(sent, stored.validation),
    client_info: clientInfoOf(sent, stored.client_info),
    db_function: functionsOf(sent, stored.db_function),
    ...is,
  };
  // What the database says is not stored when it is sent back.
  if (column && row.description === column.description.description) row.description = null;
  if (column && row.validation === JSON.stringify(column.description.validation)) row.validation = null;
  if (!isAdmin && row.alias !== stored.alias) throw fail('schema.adminOnly', { what: 'the alias of a field' });
  if (row.db_function !== stored.db_function) {
    if (!isAdmin) throw fail('schema.adminOnly', { what: 'the db_function of a field' });
    if (row.db_function !== null && column?.description.is_primary_key)
      throw fail('schema.function', { field: sent.name, problem: 'a key is found by what is stored' });
  }
  return putOf('db_field_extras', key, old, row);
}

function functionsOf(sent: Sent, stored: string | null): string | null {
  const value = sent.values.db_function;
  if (value === undefined) return stored;
  // Sent back as it was shown, it stays as it is stored.
  if (stored !== null && isDeepStrictEqual(value, JSON.parse(stored))) return stored;
  const functions = readFunctions(value, sent.name);
  return functions === null ? null : JSON.stringify(functions);
}

// ---- types ----

const otherNames = new Map<string, string>(Object.entries({ pk: 'id', fk: 'reference' }));

const typeOf = (value: unknown): string => {
  const lower = wordOf(value).trim().toLowerCase();
  return otherNames.get(lower) ?? lower;
};

const isSimpleType = (type: string): type is SimpleType => simpleTypes.includes(type as SimpleType);

/** The type that only we know of a column; throws for one that the database would have to be told. */
function extraTypeOf({ description }: Column, values: Sent['values'], stored: string | null): string | null {
  if (values.type === undefined || values.type === null) return stored;
  const type = typeOf(values.type);
  if (type === description.type) return null;
  if (isSimpleType(type) && fits(description.type, type)) return type;
  throw fail('table.alterLater', { what: `field '${description.name}' would become of type '${type.slice(0, 40)}'` });
}

/** Types of values; the others tell how a column fills itself. */
const madeTypes = /^(id|reference|user_id_on_.*|timestamp_on_.*)$/;

function virtualType({ name, values }: Sent, stored: string | null): string | null {
  if (values.type === undefined || values.type === null) return stored;
  const type = typeOf(values.type);
  if (type === 'virtual') return stored;
  if (!isSimpleType(type) || madeTypes.test(type))
    throw fail('schema.fieldType', { field: name, type: type.slice(0, 40) });
  return type;
}

// ---- what is the database's ----

const otherKeys = new Map<string, string>(Object.entries({ size: 'length', decimals: 'scale' }));

const compared = new Set<keyof FieldDescription>([
  'db_type',
  'length',
  'precision',
  'scale',
  'required',
  'allow_null',
  'fixed_length',
  'supports_multibyte',
  'auto_increment',
  'is_primary_key',
  'is_unique',
  'is_index',
  'is_foreign_key',
  'ref_table',
  'ref_field',
  'ref_on_update',
  'ref_on_delete',
]);

/** Only what is sent is compared; a default alone changes nothing (contract/database-schema.md §6). */
function refuseDifference({ description }: Column, values: Sent['values']): void {
  if (values.sql !== undefined)
    throw fail('table.alterLater', { what: `field '${description.name}' would be defined anew` });
  for (const [sent, value] of Object.entries(values)) {
    const key = (otherKeys.get(sent) ?? sent) as keyof FieldDescription;
    // Without a type of the database's own the simple one says it.
    const isSaid = compared.has(key) && !(key === 'db_type' && (value === null || value === ''));
    if (!isSaid || isSame(description[key], value)) continue;
    throw fail('table.alterLater', { what: `${key} of field '${description.name}' would change` });
  }
}

function isSame(is: unknown, sent: unknown): boolean {
  if (typeof is === 'boolean') return is === truthy(sent);
  if (is === null || sent === null || sent === '') return is === (sent === '' ? null : sent);
  return typeof is === 'number'
    ? is === Number(wordOf(sent))
    : String(is).toLowerCase() === wordOf(sent).trim().toLowerCase();
}
