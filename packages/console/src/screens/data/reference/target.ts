// What a field refers to, how its records are looked for, and what they are called. Pure.
import type { FieldDescription, RelationDescription } from '@sluice/contract';
import { keyFilter } from '../place/filter.ts';
import { type DatabaseService, type Row, type Schema, systemService } from '../place/sources.ts';
import { isNumeric, valueText } from '../values/values.ts';

/** The table that others refer to, and the field they name its records by. */
export interface Target {
  service: string;
  table: string;
  field: string;
}

/** Tables of the platform itself are read through the system service, without this (TBL-030). */
const platformPrefix = /^df_sys_/i;

/** Where a table is read: in this service, in the other one a relation names, or through the system service; null when that is not to be had. */
export function locate(
  table: string,
  serviceId: number | null,
  here: string,
  services: readonly DatabaseService[],
): Pick<Target, 'service' | 'table'> | null {
  if (platformPrefix.test(table)) return { service: systemService, table: table.replace(platformPrefix, '') };
  if (serviceId === null) return { service: here, table };
  const service = services.find(({ id }) => id === serviceId);
  return service ? { service: service.name, table } : null;
}

/** What a field refers to: by its foreign key, or by a relation someone declared (contract/database-schema.md §2). */
export function targetOf(
  field: FieldDescription,
  schema: Schema,
  here: string,
  services: readonly DatabaseService[],
): Target | null {
  const isOurs = (relation: RelationDescription) => relation.type === 'belongs_to' && relation.field === field.name;
  const declared = schema.related.find((relation) => isOurs(relation) && !relation.ref_field.includes(','));
  const [table, id, name] = field.ref_table
    ? [field.ref_table, null, field.ref_field]
    : [declared?.ref_table, declared?.ref_service_id ?? null, declared?.ref_field];
  if (!table || !name) return null;
  const found = locate(table, id, here, services);
  return found && { ...found, field: name };
}

/** The filter that finds the record a value stands for. */
export const filterOfValue = ({ field }: Target, like: FieldDescription, value: string): string =>
  keyFilter([{ ...like, name: field }], [value]);

const whole = /(^|_)(title|name|label|subject)$/i;
const first = /(^|_)(first_?name|f_?name)$/i;
const last = /(^|_)(last_?name|l_?name|surname)$/i;
const other = /(^|_)(e_?mail|phone|code)$/i;
const isText = ({ type }: FieldDescription): boolean => type === 'string' || type === 'text';
// `customerName` is named like `customer_name`.
const named = (pattern: RegExp) => (field: FieldDescription) =>
  isText(field) && pattern.test(field.name.replace(/([a-z])([A-Z])/g, '$1_$2'));

/** The fields people know a record by, the telling ones first. */
export function namingFields(schema: Schema): FieldDescription[] {
  const { field, name_field: chosen } = schema;
  const own = field.filter(({ name }) => name === chosen);
  if (own.length > 0) return own;
  const people = [field.find(named(first)), field.find(named(last))].filter((each) => each !== undefined);
  if (people.length === 2) return people;
  const found = field.find(named(whole)) ?? people[0] ?? field.find(named(other)) ?? field.find(isText);
  return found ? [found] : [];
}

/** A record's name; its key when it has none. */
export function nameOf(schema: Schema, row: Row): string {
  const words = namingFields(schema).map(({ name }) => valueText(row[name]).trim());
  const name = words.filter(Boolean).join(' ');
  return name || schema.primary_key.map((each) => valueText(row[each])).join(' / ');
}

/** How many fields a typed text is looked for in. */
const mostSearched = 5;

/** Finds records by a part of their name, or by exactly the value that names them; undefined finds all. */
export function searchFilter(schema: Schema, field: string, typed: string): string | undefined {
  const text = typed.trim();
  if (text === '') return undefined;
  const searched = schema.field.filter((each) => isSearched(schema, each)).slice(0, mostSearched);
  const parts = searched.map(({ name }) => `${name} like ${like(text)}`);
  const referred = schema.field.find(({ name }) => name === field);
  if (referred && !searched.includes(referred) && mayBe(referred, text)) parts.push(keyFilter([referred], [text]));
  return parts.length > 1 ? parts.map((part) => `(${part})`).join(' or ') : parts[0];
}

const isSearched = (schema: Schema, field: FieldDescription): boolean =>
  namingFields(schema).includes(field) || [whole, first, last, other].some((pattern) => named(pattern)(field));

// A server refuses a comparison of a number with anything else.
const mayBe = (field: FieldDescription, text: string): boolean =>
  isNumeric(field.type) || field.type === 'reference' ? /^[+-]?\d+(\.\d+)?$/.test(text) : true;

// Servers of the family know no escape for a quote of the same kind.
const like = (text: string): string => (text.includes('"') ? `'%${text.replaceAll("'", "''")}%'` : `"%${text}%"`);
