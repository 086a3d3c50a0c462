// Which table a field refers to, how its records are searched, and how they are named. Pure.
import type { FieldDescription, RelationDescription } from '@sluice/contract';
import { keyFilter } from '../address/filter.ts';
import { type DatabaseService, type Row, type Schema, systemService } from '../address/sources.ts';
import { isNumeric, valueText } from '../values/values.ts';

/** A table and the service it is read through. */
export interface TableRef {
  service: string;
  table: string;
}

/** The table that others refer to, and the field they name its records by. */
export interface ReferenceTarget extends TableRef {
  field: string;
}

/** The prefix of the platform's own tables, which are read through the system service without it (TBL-030). */
const platformPrefix = /^df_sys_/i;

/** Where a table is read: in this service, in the other one a relation names, or through the system service; null when that service is not available. */
export function locateTable(
  table: string,
  serviceId: number | null,
  currentService: string,
  services: readonly DatabaseService[],
): TableRef | null {
  if (platformPrefix.test(table)) return { service: systemService, table: table.replace(platformPrefix, '') };
  if (serviceId === null) return { service: currentService, table };
  const service = services.find(({ id }) => id === serviceId);
  return service ? { service: service.name, table } : null;
}

/** What a field refers to, by its foreign key or by a declared relation (contract/database-schema.md §2). */
export function referenceTargetOf(
  field: FieldDescription,
  schema: Schema,
  currentService: string,
  services: readonly DatabaseService[],
): ReferenceTarget | null {
  const startsAtField = (relation: RelationDescription) =>
    relation.type === 'belongs_to' && relation.field === field.name;
  const declaredRelation = schema.related.find(
    (relation) => startsAtField(relation) && !relation.ref_field.includes(','),
  );
  const [table, id, name] = field.ref_table
    ? [field.ref_table, null, field.ref_field]
    : [declaredRelation?.ref_table, declaredRelation?.ref_service_id ?? null, declaredRelation?.ref_field];
  if (!table || !name) return null;
  const location = locateTable(table, id, currentService, services);
  return location && { ...location, field: name };
}

/** The filter for the record a value refers to. */
export const referenceFilter = ({ field }: ReferenceTarget, sourceField: FieldDescription, value: string): string =>
  keyFilter([{ ...sourceField, name: field }], [value]);

const fullNamePattern = /(^|_)(title|name|label|subject)$/i;
const firstNamePattern = /(^|_)(first_?name|f_?name)$/i;
const lastNamePattern = /(^|_)(last_?name|l_?name|surname)$/i;
const contactPattern = /(^|_)(e_?mail|phone|code)$/i;
const isText = ({ type }: FieldDescription): boolean => type === 'string' || type === 'text';
// `customerName` is named like `customer_name`.
const isNamedLike = (pattern: RegExp) => (field: FieldDescription) =>
  isText(field) && pattern.test(field.name.replace(/([a-z])([A-Z])/g, '$1_$2'));

/** The fields that name a record: the declared one, first and last name, or the best match. */
export function displayFields(schema: Schema): FieldDescription[] {
  const { field, name_field: nameField } = schema;
  const declared = field.filter(({ name }) => name === nameField);
  if (declared.length > 0) return declared;
  const personFields = [field.find(isNamedLike(firstNamePattern)), field.find(isNamedLike(lastNamePattern))].filter(
    (part) => part !== undefined,
  );
  if (personFields.length === 2) return personFields;
  const single =
    field.find(isNamedLike(fullNamePattern)) ??
    personFields[0] ??
    field.find(isNamedLike(contactPattern)) ??
    field.find(isText);
  return single ? [single] : [];
}

/** A record's name; its key when it has none. */
export function recordName(schema: Schema, row: Row): string {
  const names = displayFields(schema).map(({ name }) => valueText(row[name]).trim());
  const name = names.filter(Boolean).join(' ');
  return name || schema.primary_key.map((keyField) => valueText(row[keyField])).join(' / ');
}

/** The most fields a text is searched in. */
const maxSearchedFields = 5;

/** The filter for records by a part of their name, or by exactly the value that references hold; undefined for all. */
export function searchFilter(schema: Schema, field: string, search: string): string | undefined {
  const text = search.trim();
  if (text === '') return undefined;
  const searchFields = schema.field.filter((candidate) => isSearchable(schema, candidate)).slice(0, maxSearchedFields);
  const filters = searchFields.map(({ name }) => `${name} like ${like(text)}`);
  const referencedField = schema.field.find(({ name }) => name === field);
  if (referencedField && !searchFields.includes(referencedField) && isComparable(referencedField, text))
    filters.push(keyFilter([referencedField], [text]));
  return filters.length > 1 ? filters.map((filter) => `(${filter})`).join(' or ') : filters[0];
}

const isSearchable = (schema: Schema, field: FieldDescription): boolean =>
  displayFields(schema).includes(field) ||
  [fullNamePattern, firstNamePattern, lastNamePattern, contactPattern].some((pattern) => isNamedLike(pattern)(field));

// A server refuses to compare a number with anything else.
const isComparable = (field: FieldDescription, text: string): boolean =>
  isNumeric(field.type) || field.type === 'reference' ? /^[+-]?\d+(\.\d+)?$/.test(text) : true;

// Servers of the family know no escape for a quote of the same kind.
const like = (text: string): string => (text.includes('"') ? `'%${text.replaceAll("'", "''")}%'` : `"%${text}%"`);
