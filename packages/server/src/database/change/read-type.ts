// The type of a field as it is sent: by a simple type, by a type of the database, or both, as a description has it
// (contract/database-schema.md §4–§6).
import { type FieldDescription, fail } from '@sluice/contract';
import { type DescribedType, foldType, type SchemaEditor, type TypeDefinition } from '@sluice/sql';
import { stringifyInput } from '../../call/payload.ts';
import { type ExtrasInput, inputText, isSent, isSet, typeNameOf } from '../extras/input.ts';

/** What decides how a field is read. */
export interface FieldRules {
  editor: SchemaEditor;
  /** Only administrators may send SQL. */
  isAdmin: boolean;
}

export const countedTypes = new Set(['id', 'bigid', 'mediumid', 'smallid']);
/** Simple types that say more than what a database stores: their column has another type. */
const automaticTypes = /^((big|medium|small)?id|reference|user_id.*|timestamp_on_.*)$/;
/** Those of whole numbers that a description tells in one word whatever their size. */
const numberedTypes = /^(id|reference|user_id.*)$/;

export const maxTypeLength = 2000;

export function readType(input: ExtrasInput, rules: FieldRules): TypeDefinition {
  const simple = typeNameOf(input.values.type);
  const native = inputText(input, 'db_type', null, maxTypeLength);
  const sizes = readSizes(input);
  if (simple === '' && native === null) {
    if (input.values.sql === undefined) throw fail('schema.noTypedFields');
    return { type: 'string', ...sizes };
  }
  if (simple === '') return { ...nativeType(native as string, rules), ...sizes };
  const definition = { type: simple, ...sizes };
  if (!rules.editor.describeType(definition))
    return { ...nativeType(inputText(input, 'type', null, maxTypeLength) as string, rules), ...sizes };
  // As it was described, it may be told more precisely by the type of its database.
  if (native === null) return definition;
  const described = describeNative(native, rules);
  if (described && isMorePrecise(described, definition, rules)) return { ...definition, type: native };
  return sizes.length === null ? (unboundedType(input, simple, rules) ?? definition) : definition;
}

/** Whether a field of a simple type may be made with the type that it was described with. */
function isMorePrecise(described: DescribedType, definition: TypeDefinition, { editor }: FieldRules): boolean {
  const { type } = definition;
  if (!automaticTypes.test(type)) return described.type === type && fitsSizes(described, definition);
  const isWhole = described.type === 'integer' || described.type === 'bigint';
  return numberedTypes.test(type) && isWhole && editor.describeType(definition)?.db_type !== described.db_type;
}

/** What holds values of any length, in the words of one engine or another. */
const unboundedTypes = new Map([
  ['string', ['text']],
  ['binary', ['longblob', 'bytea', 'blob']],
]);

/**
 * A field that another engine describes without a length is not to get the default one, which its values may not fit. One that is
 * part of an index is: not every engine has such indexes.
 */
function unboundedType(input: ExtrasInput, simple: string, rules: FieldRules): TypeDefinition | undefined {
  if (['is_unique', 'is_index', 'is_primary_key', 'is_foreign_key'].some((key) => isSet(input, key))) return undefined;
  const type = unboundedTypes.get(simple)?.find((candidate) => rules.editor.isKnownType(candidate));
  return type === undefined ? undefined : { type, length: null, scale: null, isFixedLength: false, isMultibyte: false };
}

const describeNative = (native: string, { editor }: FieldRules) =>
  editor.describeType({ type: native, length: null, scale: null, isFixedLength: false, isMultibyte: false });

const fitsSizes = (
  described: { length: number | null; scale: number | null },
  { length, scale }: Pick<TypeDefinition, 'length' | 'scale'>,
): boolean => (length ?? described.length) === described.length && (scale ?? described.scale) === described.scale;

/** A type by its name in the database. One that is not known is SQL: on PostgreSQL a table has a type of its name, too. */
function nativeType(type: string, { editor, isAdmin }: FieldRules): Pick<TypeDefinition, 'type'> {
  if (!editor.isKnownType(type) && !isAdmin)
    throw fail('schema.adminOnly', { what: 'the definition of a field by SQL' });
  return { type };
}

function readSizes(input: ExtrasInput): Omit<TypeDefinition, 'type'> {
  return {
    length: readSize(input, ['length', 'size', 'precision']),
    scale: readSize(input, ['scale', 'decimals']),
    isFixedLength: isSet(input, 'fixed_length'),
    isMultibyte: isSet(input, 'supports_multibyte'),
  };
}

const maxSize = 2 ** 32 - 1;

/** The first of some keys that has a number. */
function readSize(input: ExtrasInput, keys: string[]): number | null {
  for (const key of keys) {
    const value = input.values[key];
    if (!isSent(value) || value === '') continue;
    const size = Number(stringifyInput(value));
    if (!Number.isInteger(size) || size < 0 || size > maxSize)
      throw fail('schema.value', { name: input.name, key, problem: 'must be a whole number' });
    return size;
  }
  return null;
}

/** The type that an existing field is to have; undefined when what is sent says the one it has. */
export function readTypeChange(
  description: FieldDescription,
  input: ExtrasInput,
  rules: FieldRules,
): TypeDefinition | undefined {
  const { values } = input;
  const sizes = readSizes(input);
  const simple = typeNameOf(values.type);
  const native = inputText(input, 'db_type', null, maxTypeLength);
  const isOtherNative = native !== null && !isSameText(native, description.db_type);
  const stored: TypeDefinition = {
    type: storedTypeOf(description),
    length: description.length,
    scale: description.scale,
    isFixedLength: description.fixed_length,
    isMultibyte: description.supports_multibyte,
  };
  const wanted: TypeDefinition = {
    ...stored,
    ...(isSent(values.length ?? values.size ?? values.precision) ? { length: sizes.length } : {}),
    ...(isSent(values.scale ?? values.decimals) ? { scale: sizes.scale } : {}),
    ...(isSent(values.fixed_length) ? { isFixedLength: sizes.isFixedLength } : {}),
    ...(isSent(values.supports_multibyte) ? { isMultibyte: sizes.isMultibyte } : {}),
  };
  if (simple !== '' && !isTypeOf(description, simple)) {
    const definition = readType(input, rules);
    return isDescribedAs(description, definition, rules) ? undefined : definition;
  }
  if (isOtherNative) {
    const definition = { ...nativeType(native, rules), ...sizes };
    return isDescribedAs(description, definition, rules) ? undefined : definition;
  }
  const isOther = (['length', 'scale', 'isFixedLength', 'isMultibyte'] as const).some(
    (key) => wanted[key] !== stored[key],
  );
  // Not every engine describes the type it was given: the same type again is no change.
  return isOther && !isDescribedAs(description, wanted, rules) ? wanted : undefined;
}

/** The simple type of what a field stores: what it is besides is no matter of its column. */
const storedTypeOf = ({ type }: FieldDescription): string =>
  /^(id|reference|user_id.*)$/.test(type) ? 'integer' : /^timestamp_on_/.test(type) ? 'timestamp' : type;

/** Whether a simple type says of a field what it is, or what it may be without another column. */
function isTypeOf({ type, auto_increment }: FieldDescription, simple: string): boolean {
  if (simple === type) return true;
  if (countedTypes.has(simple)) return auto_increment;
  if (/^(integer|reference|user_id.*)$/.test(simple)) return /^(id|integer|bigint|reference|user_id.*)$/.test(type);
  return /^timestamp_on_/.test(simple) && /^(timestamp|datetime)/.test(type);
}

function isDescribedAs(description: FieldDescription, definition: TypeDefinition, { editor }: FieldRules): boolean {
  const described = editor.describeType(definition);
  return (
    described !== undefined &&
    isSameText(String(described.db_type), description.db_type) &&
    described.fixed_length === description.fixed_length
  );
}

const isSameText = (one: string, other: string | null): boolean => other !== null && foldType(one) === foldType(other);
