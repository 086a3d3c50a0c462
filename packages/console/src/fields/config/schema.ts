// What a config_schema says about a form: which fields it shows, how each is drawn, what it starts with and what is
// sent. Pure. Descriptors of foreign servers leave keys out; only `name` and `type` are certain.
import { allVerbs, type ConfigFieldType, type FieldDescriptor, type PickValue, secretMask } from '@sluice/contract';

export type Config = Record<string, unknown>;

/** How a field is rendered: the types of the wire, and variants of them that look different. */
export type Kind = Exclude<ConfigFieldType, 'array' | 'text'> | 'strings' | 'rows' | 'code';

/** Edited through the link controls of a script, never as plain fields (OPEN-146). */
export const linkFields = ['storage_service_id', 'storage_path', 'scm_repository', 'scm_reference'] as const;

/** The fields a form shows, in order. */
export const visibleFields = (schema: readonly FieldDescriptor[]): FieldDescriptor[] =>
  schema.filter((field) => !(linkFields as readonly string[]).includes(field.name));

/** The label of a field; one that has none is named by its own name. */
export const labelOf = (field: FieldDescriptor): string => field.label || field.name.replaceAll('_', ' ');

/**
 * How to draw a field. `stored` is the value it had when loaded: a text that came back masked is a secret whatever
 * its type says (contract/service-types.md §2 "Secret handling").
 */
export function kindOf(field: FieldDescriptor, stored?: unknown): Kind {
  const type: string = field.type ?? 'string';
  if (type.includes('array')) return Array.isArray(field.items) ? 'rows' : 'strings';
  if (type.includes('object')) return 'object';
  if (type === 'file_certificate') return stored === secretMask ? 'password' : 'file_certificate';
  if (type === 'password' || field.name === 'password' || stored === secretMask) return 'password';
  if (type === 'text') return field.name === 'content' ? 'code' : 'string';
  return (knownTypes as readonly string[]).includes(type) ? (type as Kind) : 'string';
}

const knownTypes = [
  'string',
  'integer',
  'boolean',
  'picklist',
  'multi_picklist',
  'reference',
  'event_picklist',
  'verb_mask',
  'grouped_picklist',
] as const;

export type ItemKind = (typeof itemKinds)[number];

/** How to draw a part of a row. */
export function itemKindOf(field: FieldDescriptor): ItemKind {
  const kind = kindOf(field);
  return (itemKinds as readonly string[]).includes(kind) ? (kind as ItemKind) : 'string';
}

/** Kinds a column of a table of rows may have (OPEN-145). */
const itemKinds = [
  'string',
  'password',
  'integer',
  'boolean',
  'picklist',
  'grouped_picklist',
  'event_picklist',
  'verb_mask',
] as const;

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === '';

/**
 * The values a form begins with. A new service takes the default of every empty field (OPEN-147); a stored one only
 * of those its config does not have at all, since an emptied field was emptied by someone.
 */
export function initialConfig(schema: readonly FieldDescriptor[], stored: Config | null): Config {
  const config: Config = { ...stored };
  for (const field of schema) {
    const missing = stored === null ? isEmpty(config[field.name]) : config[field.name] === undefined;
    if (missing) config[field.name] = field.default ?? null;
  }
  return config;
}

/** A config as the wire has it: `[]` when empty, else an object (contract/system-resources.md §5). */
export const configOf = (value: unknown): Config =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Config) : {};

/** A new row of a table of rows: a verb mask starts at 31 (SVC-033), the rest at their defaults (OPEN-147). */
export function newConfigRow(items: readonly FieldDescriptor[]): Config {
  const row: Config = {};
  for (const item of items) {
    if (item.type === 'verb_mask') row[item.name] = allVerbs;
    else if (!isEmpty(item.default)) row[item.name] = item.default;
  }
  return row;
}

/** Setting one field; choosing a `driver` copies the choice's dsn into `dsn` (OPEN-148). */
export function setFieldValue(
  schema: readonly FieldDescriptor[],
  config: Config,
  name: string,
  value: unknown,
): Config {
  const next = { ...config, [name]: value };
  if (name !== 'driver') return next;
  const driver = schema.find((field) => field.name === 'driver');
  const dsn = picklistValues(driver).find((pick) => pick.name === value)?.dsn;
  return typeof dsn === 'string' ? { ...next, dsn } : next;
}

/** Single choices of a picklist, those inside groups included. */
export function picklistValues(field: FieldDescriptor | undefined): PickValue[] {
  return (field?.values ?? []).flatMap((value) =>
    Array.isArray(value.values) ? (value.values as PickValue[]) : [value as PickValue],
  );
}

const isBlank = (value: unknown): boolean => isEmpty(typeof value === 'string' ? value.trim() : value);

/** Fields that make another one needless: a database of this machine is reached by its socket. */
const substitutes = new Map([['host', 'unix_socket']]);

/** Whether a value has to be there, as far as the others decide. */
export function isRequired(field: FieldDescriptor, config: Config): boolean {
  const substitute = substitutes.get(field.name);
  return Boolean(field.required) && (substitute === undefined || isBlank(config[substitute]));
}

/** Names of the required fields without a value. */
export function missingFields(schema: readonly FieldDescriptor[], config: Config): string[] {
  return visibleFields(schema)
    .filter((field) => isRequired(field, config) && isBlank(config[field.name]))
    .map((field) => field.name);
}

/** Whether anything in the schema offers the platform's events, so that their list has to be loaded (SVC-035). */
export const usesEvents = (schema: readonly FieldDescriptor[]): boolean =>
  schema.some(
    (field) =>
      field.type === 'event_picklist' ||
      field.name === 'service_event_map' ||
      (Array.isArray(field.items) && field.items.some((item) => item.type === 'event_picklist')),
  );
