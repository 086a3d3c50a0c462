// A field as it is sent, read into what a database has to make of it: a definition for a new one, the differences for one
// that is there (contract/database-schema.md §4–§6). Decided without I/O; names of other tables are checked later.
import { type FieldDescription, fail, type SimpleType, truthy } from '@sluice/contract';
import type { Column, DefaultDefinition, FieldChange, FieldDefinition } from '@sluice/sql';
import { isRecord, stringifyInput } from '../../call/payload.ts';
import { type ExtrasInput, inputFlag, inputText, isSent, isSet, requireName, typeNameOf } from '../extras/input.ts';
import { countedTypes, type FieldRules, maxTypeLength, readType, readTypeChange } from './read-type.ts';

/** A reference of one field, as it is sent. */
export interface ReferenceInput {
  field: string;
  refTable: string;
  /** null: the key of that table. */
  refField: string | null;
  onUpdate: string | null;
  onDelete: string | null;
}

/** A reference of several fields, as `constraints` tells it. */
export interface CompositeReferenceInput extends Pick<ReferenceInput, 'refTable' | 'onUpdate' | 'onDelete'> {
  /** What `constraints` calls it. */
  constraint: string;
  /** Fields, by their real names. */
  columns: string[];
  refFields: string[];
}

export interface NewField {
  definition: FieldDefinition;
  reference?: ReferenceInput;
}

export interface ChangedField {
  /** Absent where nothing of it differs. */
  change?: FieldChange;
  newName?: string;
  /** Set where it comes into the primary key, or leaves it. */
  isPrimaryKey?: boolean;
  reference?: ReferenceInput;
}

/** Whether what is sent is a field without a column. */
export const isVirtualInput = (input: ExtrasInput): boolean =>
  inputFlag(input, 'is_virtual', 0) === 1 || typeNameOf(input.values.type) === 'virtual';

/** A field that the table does not have. Absent `allow_null` means NOT NULL. */
export function readNewField(input: ExtrasInput, rules: FieldRules): NewField {
  const { values } = input;
  requireName(input);
  const type = readType(input, rules);
  const isCountedType = countedTypes.has(typeNameOf(values.type));
  const isCounted = isCountedType || isSet(input, 'auto_increment');
  const definition: FieldDefinition = {
    name: input.name,
    type,
    allowNull: !isCounted && (values.allow_null === undefined ? isOptional(input) : isSet(input, 'allow_null')),
    default: isCounted ? null : readDefault(input, rules, rules.editor.describeType(type)?.type),
    isAutoIncrement: isCounted,
    isPrimaryKey: isSet(input, 'is_primary_key') || isCountedType,
    isUnique: isSet(input, 'is_unique'),
    isIndex: isSet(input, 'is_index'),
  };
  if (definition.isPrimaryKey) {
    definition.allowNull = false;
    definition.isUnique = definition.isIndex = false;
  }
  const sql = readSql(input, rules);
  if (sql !== undefined) definition.sql = sql;
  const reference = readReference(input);
  return reference ? { definition, reference } : { definition };
}

/** What was sent of `required` where nothing was sent of `allow_null`. */
const isOptional = ({ values }: ExtrasInput): boolean =>
  values.required !== undefined && values.required !== null && !truthy(values.required);

/**
 * The differences between a field and what is sent of it: absent keys keep their value, and a default alone changes nothing
 * (contract/database-schema.md §6).
 */
export function readFieldChange(column: Column, input: ExtrasInput, rules: FieldRules): ChangedField {
  const { description } = column;
  const { values } = input;
  const result: ChangedField = {};
  const change: FieldChange = {};
  const sql = readSql(input, rules);
  if (sql !== undefined) change.sql = sql;
  const type = readTypeChange(description, input, rules);
  if (type) change.type = type;
  const allowNull = readAllowNull(description, values);
  if (allowNull !== description.allow_null) change.allowNull = allowNull;
  for (const [key, property] of [
    ['auto_increment', 'isAutoIncrement'],
    ['is_unique', 'isUnique'],
    ['is_index', 'isIndex'],
  ] as const)
    if (isSent(values[key]) && truthy(values[key]) !== description[key]) change[property] = truthy(values[key]);
  if (countedTypes.has(typeNameOf(values.type)) && !description.auto_increment) {
    change.isAutoIncrement = true;
    if (!description.is_primary_key) result.isPrimaryKey = true;
  }
  if (isSent(values.is_primary_key) && truthy(values.is_primary_key) !== description.is_primary_key)
    result.isPrimaryKey = truthy(values.is_primary_key);
  const reference = readReference(input);
  if (reference && !description.is_foreign_key) result.reference = reference;
  if (description.is_foreign_key) refuseOtherReference(description, input, reference);
  if (Object.keys(change).length > 0 && values.default !== undefined) {
    const type = (change.type && rules.editor.describeType(change.type)?.type) ?? description.type;
    if (!isSameDefault(values.default, description.default)) change.default = readDefault(input, rules, type);
  }
  if (Object.keys(change).length > 0) result.change = change;
  const newName = inputText(input, 'new_name', null);
  if (newName !== null && newName !== column.native) {
    if (!rules.isAdmin) throw fail('schema.adminOnly', { what: 'the name of a field' });
    result.newName = requireName({ name: newName, values: {} });
  }
  return result;
}

function readAllowNull(
  { allow_null }: FieldDescription,
  { allow_null: sent, required }: ExtrasInput['values'],
): boolean {
  if (isSent(sent)) return truthy(sent);
  // Said of a field with a default, `required` says nothing of nulls.
  return isSent(required) && truthy(required) ? false : allow_null;
}

function refuseOtherReference(
  { name, ref_table, ref_field }: FieldDescription,
  input: ExtrasInput,
  reference: ReferenceInput | undefined,
): void {
  const isSame = (one: string | null, other: string | null) => one?.toLowerCase() === other?.toLowerCase();
  const isDropped = isSent(input.values.is_foreign_key) && !truthy(input.values.is_foreign_key);
  const isOther =
    reference !== undefined &&
    (!isSame(reference.refTable, ref_table) || (reference.refField !== null && !isSame(reference.refField, ref_field)));
  if (isDropped || isOther)
    throw fail('schema.value', {
      name,
      key: isDropped ? 'is_foreign_key' : 'ref_table',
      problem: 'can not change: a reference is dropped with its field',
    });
}

// ---- defaults ----

/** Expressions that anybody may name; others are SQL. */
const knownExpression =
  /^(current_timestamp|current_date|current_time|localtimestamp|localtime|now|uuid|gen_random_uuid|uuid_generate_v4)(\(\d?\))?$/i;
const momentExpression = /^(now|current_timestamp|localtimestamp|localtime)(\(\))?$/i;
/** What looks like a call of a function, or like SQL in parentheses. */
const expressionLike = /^([a-z_][a-z0-9_.]*)?\s*\(.*\)(::[a-z ]+)?$/is;
const maxExpression = 2000;

function readDefault(
  input: ExtrasInput,
  { isAdmin }: FieldRules,
  type: SimpleType | undefined,
): DefaultDefinition | null {
  const value = input.values.default;
  if (!isSent(value)) return null;
  if (isRecord(value)) {
    const text = typeof value.expression === 'string' ? value.expression.trim() : '';
    if (text === '' || text.length > maxExpression)
      throw fail('schema.value', { name: input.name, key: 'default', problem: 'must have a text as its expression' });
    return readExpression(text, isAdmin);
  }
  if (typeof value === 'object')
    throw fail('schema.value', { name: input.name, key: 'default', problem: 'must be a value or {"expression"}' });
  const isText = type === 'string' || type === 'text' || type === undefined;
  if (typeof value === 'string' && !isText && !truthy(input.values.quote_default)) {
    const text = value.trim();
    if (text === '') return null;
    if (knownExpression.test(text) || (isAdmin && text.length <= maxExpression && expressionLike.test(text)))
      return readExpression(text, isAdmin);
  }
  if (type === 'boolean') return { value: truthy(value) };
  if (typeof value === 'string' && value.length > maxExpression)
    throw fail('schema.value', {
      name: input.name,
      key: 'default',
      problem: `is longer than ${maxExpression} characters`,
    });
  return { value: value as string | number | boolean };
}

function readExpression(text: string, isAdmin: boolean): DefaultDefinition {
  if (!knownExpression.test(text) && !isAdmin) throw fail('schema.adminOnly', { what: 'a default that is SQL' });
  // The moment has a word that every engine knows.
  return { expression: momentExpression.test(text) ? 'CURRENT_TIMESTAMP' : text };
}

function isSameDefault(sent: unknown, described: unknown): boolean {
  if (!isSent(sent) || !isSent(described)) return isSent(sent) === isSent(described);
  return typeof sent === 'object' || typeof described === 'object'
    ? JSON.stringify(sent) === JSON.stringify(described)
    : stringifyInput(sent) === stringifyInput(described);
}

function readSql(input: ExtrasInput, { isAdmin }: FieldRules): string | undefined {
  const { sql } = input.values;
  if (!isSent(sql) || sql === '') return undefined;
  if (!isAdmin) throw fail('schema.adminOnly', { what: 'the definition of a field by SQL' });
  return inputText(input, 'sql', null, maxTypeLength) ?? undefined;
}

// ---- references ----

const rules = new Set(['NO ACTION', 'RESTRICT', 'CASCADE', 'SET NULL', 'SET DEFAULT']);

/** The reference that is sent of a field: by its type, its flag or its target. */
function readReference(input: ExtrasInput): ReferenceInput | undefined {
  const { values } = input;
  const refTable = inputText(input, 'ref_table', null);
  const isFlagged = isSent(values.is_foreign_key) ? truthy(values.is_foreign_key) : undefined;
  const isReference = typeNameOf(values.type) === 'reference';
  if (isFlagged === false && !isReference) return undefined;
  if (refTable === null) {
    if (isReference || isFlagged) throw fail('schema.noReferenceTable', { field: input.name });
    return undefined;
  }
  return {
    field: input.name,
    refTable,
    refField: inputText(input, 'ref_field', null),
    onUpdate: readRule(input, 'ref_on_update'),
    onDelete: readRule(input, 'ref_on_delete'),
  };
}

/** A rule of a reference stands in statements as it is: only these words do. */
export function readRule(input: ExtrasInput, key: string): string | null {
  const rule = inputText(input, key, null, 40)?.toUpperCase().replace(/\s+/g, ' ') ?? null;
  if (rule !== null && !rules.has(rule))
    throw fail('schema.value', { name: input.name, key, problem: `must be one of ${[...rules].join(', ')}` });
  return rule;
}
