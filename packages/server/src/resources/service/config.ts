// The configuration of a service: checked by its type's fields, stored as JSON with secrets encrypted one by one,
// answered with secrets masked (contract/service-types.md §2 "Config storage rules").
import { type ConfigFields, type ItemField, secretMask } from '@sluice/contract';
import { isRecord } from '../../call/payload.ts';
import type { Secrets } from '../../identity/keys.ts';
import { type Invalid, isEmpty, readFlag, shown } from '../../resource/fields.ts';
import { isMasked, requireSecrets, rowBefore } from './destination.ts';

export type Stored = Record<string, unknown>;

/** A configuration as it is stored, with the fields of the type it was stored for. */
export interface StoredConfig {
  fields: ConfigFields;
  config: Stored;
}

/** Reads a stored configuration; what is no object counts as empty. */
export function parseConfig(text: unknown): Stored {
  const parsed: unknown = typeof text === 'string' && text !== '' ? JSON.parse(text) : {};
  return isRecord(parsed) ? parsed : {};
}

/** What reading a configuration draws on. */
interface Reading {
  secrets: Secrets;
  invalid: Invalid;
  /** The id of a new row in a list of objects. */
  nextId(): number;
}

/**
 * What is to be stored after a write: fields the type does not have are dropped, fields that were not sent stay, lists
 * of objects are replaced as a whole. A secret sent as the mask stays as it is, as long as it goes where it went.
 */
export function mergeConfig(
  fields: ConfigFields,
  given: unknown,
  stored: StoredConfig,
  { secrets, invalid }: Pick<Reading, 'secrets' | 'invalid'>,
): Stored {
  const merged: Stored = {};
  const before = stored.fields === fields ? stored.config : sameFields(stored, fields);
  const sent = isRecord(given) ? given : {};
  if (!isRecord(given) && !isNothing(given)) invalid('config', 'The config must be an object.');
  const reading = { secrets, invalid, nextId: rowCounter(before) };
  for (const [name, field] of Object.entries(fields)) {
    if (field.unused) continue;
    const part = { name, ...field };
    const isKept = sent[name] === undefined || isMasked(part, sent[name]);
    const value = isKept ? before[name] : readField(part, sent[name], before[name], reading);
    if (value !== null && value !== undefined) merged[name] = value;
    if (field.required && isEmpty(value)) invalid(name, `The ${shown(name)} field is required.`);
  }
  requireSecrets({ fields, sent, kept: before, merged, stored }, secrets, invalid);
  return merged;
}

/** What a configuration keeps when the type changes: a secret never becomes a field that is shown. */
function sameFields({ fields: old, config }: StoredConfig, now: ConfigFields): Stored {
  return Object.fromEntries(
    Object.entries(config).filter(
      ([name]) => old[name]?.type === now[name]?.type && Boolean(old[name]?.secret) === Boolean(now[name]?.secret),
    ),
  );
}

const isNothing = (given: unknown) =>
  given === undefined || given === null || given === '' || (Array.isArray(given) && given.length === 0);

/** Rows of lists get ids that were not used in this configuration before. */
function rowCounter(before: Stored): () => number {
  const rows = Object.values(before).flatMap((value) => (Array.isArray(value) ? value.filter(isRecord) : []));
  let last = Math.max(0, ...rows.map((row) => Number(row.id ?? 0)));
  return () => {
    last += 1;
    return last;
  };
}

function readField(field: ItemField, given: unknown, before: unknown, reading: Reading): unknown {
  const { items } = field;
  if (!Array.isArray(items) || given === null) return readValue(field, given, reading);
  if (Array.isArray(given) && given.every(isRecord)) {
    return given.map((row) => readRow(items, row, rowBefore(before, row), reading));
  }
  reading.invalid(field.name, `The ${shown(field.name)} must be an array of objects.`);
  return null;
}

function readRow(items: ItemField[], given: Stored, before: Stored, reading: Reading): Stored {
  const row: Stored = { id: reading.nextId() };
  for (const item of items) {
    const value = isMasked(item, given[item.name])
      ? before[item.name]
      : readValue(item, given[item.name] ?? null, reading);
    row[item.name] = value ?? null;
  }
  return row;
}

const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/** One value in the type of its field; null with a message when it is not of that type. */
function readValue(field: ItemField, given: unknown, { secrets, invalid }: Reading): unknown {
  if (given === null) return null;
  const wrong = (what: string) => {
    invalid(field.name, `The ${shown(field.name)} ${what}`);
    return null;
  };
  switch (field.type) {
    case 'integer':
    case 'verb_mask': {
      if (given === '') return null;
      const number = isScalar(given) ? Number(given) : Number.NaN;
      if (field.atLeast !== undefined && number < field.atLeast) return null;
      return Number.isSafeInteger(number) ? number : wrong('must be an integer.');
    }
    case 'boolean':
      if (given === '') return null;
      return readFlag(given) ?? wrong('field must be true or false.');
    case 'reference':
    case 'picklist':
    case 'grouped_picklist':
      if (given === '') return null;
      return isScalar(given) ? given : wrong('must be one of the offered values.');
    case 'multi_picklist':
    case 'array':
      return Array.isArray(given) && given.every(isScalar) ? given.map(String) : wrong('must be an array.');
    case 'object': {
      if (isNothing(given)) return null;
      const isMap = isRecord(given) && Object.values(given).every((it) => it === null || isScalar(it));
      return isMap ? given : wrong('must be an object.');
    }
    default:
      if (!isScalar(given)) return wrong('must be a string.');
      return field.secret && given !== '' ? secrets.encrypt(String(given)) : String(given);
  }
}

/** A configuration as its type opens it: every field there, secrets in clear. */
export function clearConfig(fields: ConfigFields | null, stored: Stored, secrets: Secrets): Stored {
  return full(fields ?? {}, stored, (text) => secrets.decrypt(text));
}

/** A configuration as the wire shows it: every field there, secrets masked; `[]` when the type has none. */
export function shownConfig(fields: ConfigFields | null, stored: Stored, service: number): Stored | never[] {
  if (!fields) return [];
  const config = full(fields, stored, () => secretMask);
  for (const [name, { items }] of Object.entries(fields)) {
    const rows = config[name];
    if (Array.isArray(items) && Array.isArray(rows))
      config[name] = rows.map((row) => ({ service_id: service, ...row }));
  }
  return { service_id: service, ...config };
}

/** Unset fields read as their default. */
function full(fields: ConfigFields, stored: Stored, open: (secret: string) => string): Stored {
  const config: Stored = {};
  const reveal = (isSecret: boolean | undefined, value: unknown) =>
    isSecret && typeof value === 'string' && value !== '' ? open(value) : value;
  for (const [name, field] of Object.entries(fields)) {
    const value = stored[name] ?? field.unset ?? field.default ?? null;
    const items = field.items as ItemField[] | 'string' | undefined;
    config[name] =
      Array.isArray(items) && Array.isArray(value)
        ? value.map((row: Stored) => ({
            ...row,
            ...Object.fromEntries(items.map((it) => [it.name, reveal(it.secret, row[it.name] ?? null)])),
          }))
        : reveal(field.secret, value);
  }
  return config;
}
