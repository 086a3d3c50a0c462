// The configuration of a service: checked by its type's fields, stored as JSON with secrets encrypted one by one,
// answered with secrets masked (contract/service-types.md §2 "Config storage rules").
import { type ConfigFields, fail, type ItemField, secretMask, textLengths } from '@sluice/contract';
import { isRecord } from '../../call/payload.ts';
import type { Secrets } from '../../identity/keys.ts';
import { fieldLabel, isEmpty, type ReportInvalid, readFlag } from '../../resource/fields.ts';
import { isMasked, requireSecrets, storedRowFinder } from './destination.ts';

export type ConfigValues = Record<string, unknown>;

/** A configuration as it is stored, with the fields of the type it was stored for. */
export interface StoredConfig {
  fields: ConfigFields;
  values: ConfigValues;
}

/** Reads a stored configuration; what is no object counts as empty. */
export function parseConfig(text: unknown): ConfigValues {
  const parsed: unknown = typeof text === 'string' && text !== '' ? JSON.parse(text) : {};
  return isRecord(parsed) ? parsed : {};
}

/** What reading a configuration draws on. */
interface ReadContext {
  secrets: Secrets;
  reportInvalid: ReportInvalid;
  /** The id of a new row in a list of objects. */
  nextRowId(): number;
}

/**
 * What is to be stored after a write: fields the type does not have are dropped, absent fields stay, lists of objects are
 * replaced as a whole. A secret sent as the mask stays as it is, as long as it goes where it went.
 */
export function mergeConfig(
  fields: ConfigFields,
  input: unknown,
  stored: StoredConfig,
  { secrets, reportInvalid }: Pick<ReadContext, 'secrets' | 'reportInvalid'>,
): ConfigValues {
  const merged: ConfigValues = {};
  const existing = stored.fields === fields ? stored.values : keepSameFields(stored, fields);
  const inputValues = isRecord(input) ? input : {};
  if (!isRecord(input) && !isBlank(input)) reportInvalid('config', 'The config must be an object.');
  const context = { secrets, reportInvalid, nextRowId: createRowIdCounter(existing) };
  for (const [name, field] of Object.entries(fields)) {
    if (field.unused) continue;
    const part = { name, ...field };
    const isUnchanged = inputValues[name] === undefined || isMasked(part, inputValues[name]);
    const value = isUnchanged ? existing[name] : readField(part, inputValues[name], existing[name], context);
    if (value !== null && value !== undefined) merged[name] = value;
    if (field.required && !field.checkedByType && isEmpty(value))
      reportInvalid(name, `The ${fieldLabel(name)} field is required.`);
  }
  requireSecrets({ fields, input: inputValues, existing, merged, stored }, secrets, reportInvalid);
  return merged;
}

/** The values that stay when the type changes: a secret never becomes a field that is shown. */
function keepSameFields({ fields: oldFields, values }: StoredConfig, newFields: ConfigFields): ConfigValues {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name]) =>
        oldFields[name]?.type === newFields[name]?.type &&
        Boolean(oldFields[name]?.secret) === Boolean(newFields[name]?.secret),
    ),
  );
}

const isBlank = (input: unknown) =>
  input === undefined || input === null || input === '' || (Array.isArray(input) && input.length === 0);

/** Rows of lists get ids that were not used in this configuration before. */
function createRowIdCounter(existing: ConfigValues): () => number {
  const rows = Object.values(existing).flatMap((value) => (Array.isArray(value) ? value.filter(isRecord) : []));
  let last = rows.reduce((largest, row) => Math.max(largest, Number(row.id ?? 0)), 0);
  return () => {
    last += 1;
    return last;
  };
}

/** Whether every text in a value of a configuration is of a length that configurations take. */
function isTextShort(value: unknown): boolean {
  if (typeof value === 'string') return Buffer.byteLength(value) <= textLengths.note;
  return typeof value !== 'object' || value === null || Object.values(value).every(isTextShort);
}

function readField(field: ItemField, input: unknown, existing: unknown, context: ReadContext): unknown {
  const { items } = field;
  if (!isTextShort(input) && JSON.stringify(input) !== JSON.stringify(existing)) {
    context.reportInvalid(
      field.name,
      `The ${fieldLabel(field.name)} may not be greater than ${textLengths.note} bytes.`,
    );
    return null;
  }
  if (!Array.isArray(items) || input === null) return readValue(field, input, context);
  if (Array.isArray(input) && input.every(isRecord)) {
    const findStoredRow = storedRowFinder(existing);
    return input.map((row) => readRow(items, row, findStoredRow(row), context));
  }
  if (field.notRows) throw fail('service.notRows', { text: field.notRows });
  context.reportInvalid(field.name, `The ${fieldLabel(field.name)} must be an array of objects.`);
  return null;
}

function readRow(items: ItemField[], input: ConfigValues, existing: ConfigValues, context: ReadContext): ConfigValues {
  const row: ConfigValues = { id: context.nextRowId() };
  for (const item of items) {
    const value = isMasked(item, input[item.name])
      ? existing[item.name]
      : readValue(item, input[item.name] ?? null, context);
    row[item.name] = value ?? item.default ?? null;
  }
  return row;
}

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** One value in the type of its field; null with a message when it is not of that type. */
function readValue(field: ItemField, input: unknown, { secrets, reportInvalid }: ReadContext): unknown {
  if (input === null) return null;
  const rejectValue = (problem: string) => {
    reportInvalid(field.name, `The ${fieldLabel(field.name)} ${problem}`);
    return null;
  };
  switch (field.type) {
    case 'integer':
    case 'verb_mask': {
      if (input === '') return null;
      const number = isScalar(input) ? Number(input) : Number.NaN;
      if (field.atLeast !== undefined && number < field.atLeast) return null;
      return Number.isSafeInteger(number) ? number : rejectValue('must be an integer.');
    }
    case 'boolean':
      if (input === '') return null;
      return readFlag(input) ?? rejectValue('field must be true or false.');
    case 'reference':
    case 'picklist':
    case 'grouped_picklist':
      if (input === '') return null;
      return isScalar(input) ? input : rejectValue('must be one of the offered values.');
    case 'multi_picklist':
    case 'array':
      return Array.isArray(input) && input.every(isScalar) ? input.map(String) : rejectValue('must be an array.');
    case 'object': {
      if (isBlank(input)) return null;
      const isMap = isRecord(input) && Object.values(input).every((value) => value === null || isScalar(value));
      return isMap ? input : rejectValue('must be an object.');
    }
    default:
      if (!isScalar(input)) return rejectValue('must be a string.');
      return field.secret && input !== '' ? secrets.encrypt(String(input)) : String(input);
  }
}

/** A configuration as its type opens it: every field there, secrets in clear. */
export const decryptConfig = (fields: ConfigFields | null, stored: ConfigValues, secrets: Secrets): ConfigValues =>
  fillConfig(fields ?? {}, stored, (secret) => secrets.decrypt(secret));

/** A configuration as it may be seen: every field there, secrets masked. */
export const maskConfig = (fields: ConfigFields | null, stored: ConfigValues): ConfigValues =>
  fillConfig(fields ?? {}, stored, () => secretMask);

/** A configuration, as it may be seen, for the audit: what may be a secret is masked, too. */
export function maskConfidential(fields: ConfigFields | null, config: ConfigValues): ConfigValues {
  const mask = (value: unknown): unknown =>
    isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mask(item)]))
      : isEmpty(value)
        ? value
        : secretMask;
  const maskRow = (items: ItemField[], row: unknown): unknown =>
    isRecord(row)
      ? {
          ...row,
          ...Object.fromEntries(
            items.flatMap((item) => (item.confidential ? [[item.name, mask(row[item.name])]] : [])),
          ),
        }
      : row;
  const masked: ConfigValues = { ...config };
  for (const [name, { confidential, items }] of Object.entries(fields ?? {})) {
    const value = config[name];
    if (confidential) masked[name] = mask(value);
    else if (Array.isArray(items) && Array.isArray(value)) masked[name] = value.map((row) => maskRow(items, row));
  }
  return masked;
}

/** A configuration on the wire: masked, it and its rows with the id of their service; `[]` when the type has none. */
export function serializeConfig(
  fields: ConfigFields | null,
  stored: ConfigValues,
  serviceId: number,
): ConfigValues | never[] {
  if (!fields) return [];
  const config = maskConfig(fields, stored);
  for (const [name, { items, readsAsNumber }] of Object.entries(fields)) {
    const rows = config[name];
    if (readsAsNumber && /^\d{1,9}$/.test(String(config[name]))) config[name] = Number(config[name]);
    if (Array.isArray(items) && Array.isArray(rows))
      config[name] = rows.map((row) => ({ service_id: serviceId, ...row }));
  }
  return { service_id: serviceId, ...config };
}

/** Every field there: an unset one as what stands for it, a secret as `showSecret` shows it. */
function fillConfig(fields: ConfigFields, stored: ConfigValues, showSecret: (secret: string) => string): ConfigValues {
  const config: ConfigValues = {};
  const showValue = (isSecret: boolean | undefined, value: unknown) =>
    isSecret && typeof value === 'string' && value !== '' ? showSecret(value) : value;
  for (const [name, field] of Object.entries(fields)) {
    const value = stored[name] ?? field.unset ?? field.default ?? null;
    const items = field.items as ItemField[] | 'string' | undefined;
    config[name] =
      Array.isArray(items) && Array.isArray(value)
        ? value.map((row: ConfigValues) => ({
            ...row,
            ...Object.fromEntries(items.map((item) => [item.name, showValue(item.secret, row[item.name] ?? null)])),
          }))
        : showValue(field.secret, value);
  }
  return config;
}
