// From stored values to drafts, and back: how each type is edited, what is sent, what a cell shows. Pure.
// Beside it: check.ts (whether a draft is valid), json.ts, and cell-value.tsx (a value as it is shown). All of them work on one value;
// records belong to writing/.
import type { FieldDescription, SimpleType } from '@sluice/contract';
import type { Row, Schema } from '../address/sources.ts';
import { jsonProblem } from './json.ts';

/** The input of a type (TBL-012, OPEN-127). */
export type InputKind = 'text' | 'area' | 'integer' | 'decimal' | 'boolean' | 'binary';

const inputKinds: Partial<Record<SimpleType, InputKind>> = {
  text: 'area',
  json: 'area',
  id: 'integer',
  integer: 'integer',
  bigint: 'integer',
  reference: 'integer',
  user_id: 'integer',
  float: 'decimal',
  double: 'decimal',
  decimal: 'decimal',
  money: 'decimal',
  boolean: 'boolean',
  binary: 'binary',
};

export const inputKind = (type: SimpleType): InputKind => inputKinds[type] ?? 'text';

/** A text without a length may be long; and an input of one line would drop line breaks. */
export const isMultiline = (field: FieldDescription, draft: Draft): boolean =>
  inputKind(field.type) === 'area' ||
  (field.type === 'string' && !field.length) ||
  (typeof draft === 'string' && draft.includes('\n'));

/** Whether a field holds JSON: PostgreSQL and SQLite describe theirs as a string (contract/database-schema.md §5). */
export const isJson = ({ type, db_type }: FieldDescription): boolean =>
  type === 'json' || /^jsonb?$/i.test(db_type ?? '');

/** Types in which an empty input can only mean that there is no value. */
export const treatsEmptyAsNull = (type: SimpleType): boolean => !['string', 'text', 'json', 'binary'].includes(type);

/** Numbers are aligned at the right, with digits of one width. */
export const isNumeric = (type: SimpleType): boolean =>
  ['id', 'integer', 'bigint', 'float', 'double', 'decimal', 'money'].includes(type);

/** What an input holds: the text typed, a boolean, null, or undefined while it has no value. */
export type Draft = string | boolean | null | undefined;
export type Drafts = Readonly<Record<string, Draft>>;

/** What an object has by the name of a field, which may be one that every object inherits, as `constructor`. */
export const ownValue = <T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;

/** A stored value as its input shows it. */
export function toDraft(value: unknown): Draft {
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Why a field cannot be written; null when it can. */
export type Lock = 'readOnly' | 'createOnly' | 'virtual' | 'automatic' | 'key' | null;

const automaticTypes = /^(user_id|timestamp)_on_(create|update)$/;

/** Why a field is locked. A record's key cannot change: it names the record that is written. */
export function lockOf(field: FieldDescription, schema: Schema, isNew: boolean): Lock {
  const rules = field.validation ?? {};
  if ('api_read_only' in rules) return 'readOnly';
  if (!isNew && 'create_only' in rules) return 'createOnly';
  if (field.is_virtual) return 'virtual';
  if (automaticTypes.test(field.type)) return 'automatic';
  return !isNew && schema.primary_key.includes(field.name) ? 'key' : null;
}

/**
 * Whether a value must be given for a new record. A `timestamp` may have CURRENT_TIMESTAMP as its default without showing it
 * (contract/database-schema.md §2): the server decides about those.
 */
export const isRequired = (field: FieldDescription): boolean =>
  field.required &&
  !field.auto_increment &&
  field.type !== 'timestamp' &&
  !automaticTypes.test(field.type) &&
  !field.is_virtual;

export type DraftError = 'integer' | 'number' | 'json' | 'required';

const integerPattern = /^[+-]?\d+$/;
const decimalPattern = /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?(?:e[+-]?\d+)?$/i;

/** The value to send for a draft, or its error. A number that JSON cannot carry exactly is sent as text. */
export function toValue(field: FieldDescription, draft: Draft): { value: unknown } | { error: DraftError } {
  if (draft === null || draft === undefined) {
    return field.allow_null || field.auto_increment ? { value: null } : { error: 'required' };
  }
  if (typeof draft === 'boolean') return { value: draft };
  const kind = inputKind(field.type);
  const text = treatsEmptyAsNull(field.type) ? draft.trim() : draft;
  if (text.trim() === '' && (treatsEmptyAsNull(field.type) || isJson(field))) {
    return field.allow_null || field.auto_increment ? { value: null } : { error: 'required' };
  }
  if (kind === 'integer') {
    if (!integerPattern.test(text)) return { error: 'integer' };
    return { value: Number.isSafeInteger(Number(text)) ? Number(text) : text.replace(/^\+/, '') };
  }
  if (kind === 'decimal') {
    const decimalMatch = decimalPattern.exec(text);
    if (!decimalMatch || !/\d/.test(text)) return { error: 'number' };
    return { value: isExact(text, decimalMatch) ? Number(text) : text };
  }
  if (isJson(field) && jsonProblem(text) !== null) return { error: 'json' };
  return { value: text };
}

// A number is exact when its shortest text is what was typed, without needless zeros.
const isExact = (text: string, [, sign = '', whole = '', fraction = '']: RegExpExecArray): boolean =>
  String(Number(text)) === `${sign === '-' ? '-' : ''}${whole || '0'}${fraction ? `.${fraction}` : ''}`;

/** Fields that other programs maintain; a change in them alone does not make a record dirty (OPEN-123). */
const bookkeepingFields = new Set(['created_date', 'last_modified_date']);

/** The drafts that differ from what is stored. */
export const dirtyDrafts = (original: Row, drafts: Drafts): Drafts =>
  Object.fromEntries(
    Object.entries(drafts).filter(([name, draft]) => draft !== (toDraft(ownValue(original, name)) ?? null)),
  );

export const isDirty = (original: Row, drafts: Drafts): boolean =>
  Object.keys(dirtyDrafts(original, drafts)).some((name) => !bookkeepingFields.has(name));

/** How the server and its databases name a field in an error. */
const fieldNamePatterns = [
  /\bfield ['"]([^'"]+)['"]/i,
  // SQLite: `UNIQUE constraint failed: thing.name`.
  /failed: \S+?\.([^,]+)$/,
  // PostgreSQL: `null value in column "name" …`; MySQL: `Data too long for column 'name' at row 1`.
  /\bcolumn ['"]([^'"]+)['"]/i,
  // PostgreSQL's detail: `Key (name)=(a) already exists.`
  /\bkey \(([^),]+)\)=/i,
  // MySQL: `… FOREIGN KEY (`country_id`) REFERENCES …`.
  /\bforeign key \(`([^`]+)`\)/i,
];

/** The field an error message is about; names may be lower-cased. */
export function fieldOfMessage(message: string, fields: readonly FieldDescription[]): string | undefined {
  const names = fieldNamePatterns.flatMap(
    (pattern) => pattern.exec(message)?.[1]?.trim().replace(/^"|"$/g, '').toLowerCase() ?? [],
  );
  return fields.find(({ name }) => names.includes(name.toLowerCase()))?.name;
}

/** Longer texts are cut in cells; the pane shows all of them. */
const maxCellLength = 240;

export const truncateText = (text: string): string =>
  text.length > maxCellLength ? `${text.slice(0, maxCellLength)}…` : text;

export const valueText = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** The number of bytes in a base64 text. */
export const decodedLength = (base64: string): number =>
  Math.floor((base64.length * 3) / 4) - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);
