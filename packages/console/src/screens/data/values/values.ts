// From stored values to what is typed, and back: how each type is edited, what is sent, what a cell says. Pure.
// Beside it: check.ts (what speaks against a value), json.ts, and cell-value.tsx (a value as it is shown). Of one value each; records are
// writing/'s.
import type { FieldDescription, SimpleType } from '@sluice/contract';
import type { Row, Schema } from '../place/sources.ts';
import { jsonProblem } from './json.ts';

/** The input of a type (TBL-012, OPEN-127). */
export type InputKind = 'text' | 'area' | 'integer' | 'decimal' | 'boolean' | 'binary';

const inputs: Partial<Record<SimpleType, InputKind>> = {
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

export const inputKind = (type: SimpleType): InputKind => inputs[type] ?? 'text';

/** A text without a length may be long; and an input of one line would drop the ends of lines. */
export const wantsArea = (field: FieldDescription, draft: Draft): boolean =>
  inputKind(field.type) === 'area' ||
  (field.type === 'string' && !field.length) ||
  (typeof draft === 'string' && draft.includes('\n'));

/** JSON, which PostgreSQL's and SQLite's are told as a string (contract/database-schema.md §5). */
export const isJson = ({ type, db_type }: FieldDescription): boolean =>
  type === 'json' || /^jsonb?$/i.test(db_type ?? '');

/** Types in which an empty input can only mean that there is no value. */
export const emptyIsNull = (type: SimpleType): boolean => !['string', 'text', 'json', 'binary'].includes(type);

/** Numbers stand at the right, with digits of one width. */
export const isNumeric = (type: SimpleType): boolean =>
  ['id', 'integer', 'bigint', 'float', 'double', 'decimal', 'money'].includes(type);

/** What an input holds: the text typed, a boolean, null, or undefined while nothing was given. */
export type Draft = string | boolean | null | undefined;
export type Drafts = Readonly<Record<string, Draft>>;

/** A stored value as its input shows it. */
export function toDraft(value: unknown): Draft {
  if (value === null || value === undefined || typeof value === 'boolean' || typeof value === 'string') return value;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Why a field can not be written; null when it can. */
export type Lock = 'readOnly' | 'createOnly' | 'virtual' | 'automatic' | 'key' | null;

const automatic = /^(user_id|timestamp)_on_(create|update)$/;

/** A record's key can not change: it names the record that is written. */
export function lockOf(field: FieldDescription, schema: Schema, isNew: boolean): Lock {
  const rules = field.validation ?? {};
  if ('api_read_only' in rules) return 'readOnly';
  if (!isNew && 'create_only' in rules) return 'createOnly';
  if (field.is_virtual) return 'virtual';
  if (automatic.test(field.type)) return 'automatic';
  return !isNew && schema.primary_key.includes(field.name) ? 'key' : null;
}

/**
 * Whether a value must be given for a new record. A `timestamp` may have CURRENT_TIMESTAMP as its default without showing it
 * (contract/database-schema.md §2): of those the server decides.
 */
export const isRequired = (field: FieldDescription): boolean =>
  field.required &&
  !field.auto_increment &&
  field.type !== 'timestamp' &&
  !automatic.test(field.type) &&
  !field.is_virtual;

export type Wrong = 'integer' | 'number' | 'json' | 'required';

const integer = /^[+-]?\d+$/;
const decimal = /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?(?:e[+-]?\d+)?$/i;

/** What is sent for a draft, or what is wrong with it. Numbers a JSON number can not carry exactly go as text. */
export function toValue(field: FieldDescription, draft: Draft): { value: unknown } | { wrong: Wrong } {
  if (draft === null || draft === undefined) {
    return field.allow_null || field.auto_increment ? { value: null } : { wrong: 'required' };
  }
  if (typeof draft === 'boolean') return { value: draft };
  const kind = inputKind(field.type);
  const text = emptyIsNull(field.type) ? draft.trim() : draft;
  if (text.trim() === '' && (emptyIsNull(field.type) || isJson(field))) {
    return field.allow_null || field.auto_increment ? { value: null } : { wrong: 'required' };
  }
  if (kind === 'integer') {
    if (!integer.test(text)) return { wrong: 'integer' };
    return { value: Number.isSafeInteger(Number(text)) ? Number(text) : text.replace(/^\+/, '') };
  }
  if (kind === 'decimal') {
    const parts = decimal.exec(text);
    if (!parts || !/\d/.test(text)) return { wrong: 'number' };
    return { value: isExact(text, parts) ? Number(text) : text };
  }
  if (isJson(field) && jsonProblem(text) !== null) return { wrong: 'json' };
  return { value: text };
}

// The shortest text of the number, without zeros that say nothing, is what was typed.
const isExact = (text: string, [, sign = '', whole = '', fraction = '']: RegExpExecArray): boolean =>
  String(Number(text)) === `${sign === '-' ? '-' : ''}${whole || '0'}${fraction ? `.${fraction}` : ''}`;

/** Fields that other programs keep up; a change in them alone is none (OPEN-123). */
const keptByOthers = new Set(['created_date', 'last_modified_date']);

/** The drafts that differ from what is stored. */
export const changed = (stored: Row, drafts: Drafts): Drafts =>
  Object.fromEntries(Object.entries(drafts).filter(([name, draft]) => draft !== (toDraft(stored[name]) ?? null)));

export const isUnsaved = (stored: Row, drafts: Drafts): boolean =>
  Object.keys(changed(stored, drafts)).some((name) => !keptByOthers.has(name));

export type Payload = { record: Row } | { wrong: Record<string, Wrong> };

const payload = (fields: readonly FieldDescription[], drafts: Drafts): Payload => {
  const record: Row = {};
  const wrong: Record<string, Wrong> = {};
  for (const field of fields) {
    const result = toValue(field, drafts[field.name]);
    if ('wrong' in result) wrong[field.name] = result.wrong;
    else record[field.name] = result.value;
  }
  return Object.keys(wrong).length > 0 ? { wrong } : { record };
};

/** What a PATCH sends: the key and the fields that changed, so that nobody else's work is overwritten (TBL-025). */
export function toPatch(schema: Schema, stored: Row, drafts: Drafts): Payload {
  const touched = changed(stored, drafts);
  const fields = schema.field.filter(({ name }) => name in touched);
  const result = payload(fields, touched);
  if ('wrong' in result) return result;
  return {
    record: { ...Object.fromEntries(schema.primary_key.map((name) => [name, stored[name]])), ...result.record },
  };
}

/** What a POST sends: the fields that were given; null in a key the database counts itself is dropped (TBL-023). */
export function toPost(schema: Schema, drafts: Drafts): Payload {
  const given = schema.field.filter(
    (field) =>
      lockOf(field, schema, true) === null &&
      (drafts[field.name] !== undefined || isRequired(field)) &&
      !(field.auto_increment && !field.allow_null && (drafts[field.name] ?? '') === ''),
  );
  return payload(given, drafts);
}

/** How the server and the databases behind it name a field in an error. */
const namings = [
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

/** The field an error message speaks of; names may be lower-cased. */
export function fieldOfMessage(message: string, fields: readonly FieldDescription[]): string | undefined {
  const named = namings.flatMap(
    (naming) => naming.exec(message)?.[1]?.trim().replace(/^"|"$/g, '').toLowerCase() ?? [],
  );
  return fields.find(({ name }) => named.includes(name.toLowerCase()))?.name;
}

/** Longer texts are cut in cells; the record shows all of it. */
const longestCell = 240;

export const clip = (text: string): string => (text.length > longestCell ? `${text.slice(0, longestCell)}…` : text);

export const valueText = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** How many bytes a base64 text stands for. */
export const bytesOf = (base64: string): number =>
  Math.floor((base64.length * 3) / 4) - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);
