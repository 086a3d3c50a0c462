// Which table a field refers to, how its records are searched, and how they are named. Pure.
import type { FieldDescription, RelationDescription } from '@sluice/contract';
import { isNumberText, keyFilter } from '../address/filter.ts';
import { pairedColumns, splitColumns } from '../address/relation-columns.ts';
import { type DatabaseService, type Row, type Schema, systemService } from '../address/sources.ts';
import { type Draft, inputKind, isNumeric, valueText } from '../values/values.ts';

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

/** Several fields that refer to a record together. */
export interface JointReference extends TableRef {
  /** The fields that refer. */
  columns: readonly string[];
  /** The fields they refer to, one for each. */
  fields: readonly string[];
}

/** The references of a table: of single fields by the field's name, and those of several fields. */
export interface References {
  single: ReadonlyMap<string, ReferenceTarget>;
  joint: readonly JointReference[];
}

/** What a table refers to, by its foreign keys and by declared relations (contract/database-schema.md §2). */
export function referencesOf(schema: Schema, currentService: string, services: readonly DatabaseService[]): References {
  const joins = schema.related.flatMap((relation) => joinOf(relation, schema) ?? []);
  const jointJoins = joins.filter(({ columns }) => columns.length > 1);
  const single = schema.field.flatMap((field) => {
    const declared = joins.find(({ columns }) => columns.length === 1 && columns[0] === field.name);
    // A field of a key of several tells its part of that key.
    const isPart = jointJoins.some((join) => hasKeyPart(join, field));
    const [table, id, name] =
      field.ref_table && !isPart
        ? [field.ref_table, null, field.ref_field]
        : [declared?.table, declared?.serviceId ?? null, declared?.fields[0]];
    if (!table || !name) return [];
    const location = locateTable(table, id, currentService, services);
    return location ? [[field.name, { ...location, field: name }] as const] : [];
  });
  const joint = jointJoins.flatMap(({ table, serviceId, columns, fields }) => {
    const location = locateTable(table, serviceId, currentService, services);
    return location ? [{ ...location, columns, fields }] : [];
  });
  return { single: new Map(single), joint };
}

interface Join {
  table: string;
  serviceId: number | null;
  columns: readonly string[];
  fields: readonly string[];
}

/** The reference a relation describes; null for one that only leads to other records. */
function joinOf(relation: RelationDescription, schema: Schema): Join | null {
  const columns = splitColumns(relation.field, schema);
  const fields = relation.type === 'many_many' ? null : pairedColumns(relation.ref_field, columns);
  if (fields === null) return null;
  const target = { table: relation.ref_table, serviceId: relation.ref_service_id };
  if (relation.type === 'belongs_to') return { ...target, columns, fields };
  // A table that refers to itself has only the relation that leads the other way.
  const reverse = { ...target, columns: fields, fields: columns };
  const isOwn = columns.length > 1 && schema.field.some((field) => hasKeyPart(reverse, field));
  return isOwn && fields.every((name) => schema.field.some((field) => field.name === name)) ? reverse : null;
}

/** Whether what a field refers to is its part of a reference. */
const hasKeyPart = ({ table, columns, fields }: Join, field: FieldDescription): boolean =>
  field.ref_table === table && columns.some((name, index) => name === field.name && fields[index] === field.ref_field);

/** The filter for the record that fields refer to together; null while one of them has no value that could. */
export function jointFilter(
  { columns, fields }: JointReference,
  schema: Schema,
  drafts: readonly Draft[],
): string | null {
  const targetFields: FieldDescription[] = [];
  const values: string[] = [];
  for (const [index, name] of columns.entries()) {
    const field = schema.field.find((candidate) => candidate.name === name);
    const value = String(drafts[index] ?? '').trim();
    if (!field || !isLookedUp(field, value)) return null;
    targetFields.push({ ...field, name: fields[index]! });
    values.push(value);
  }
  return keyFilter(targetFields, values);
}

/** Whether a record can be found by a value; a server refuses to compare a number with anything else. */
export const isLookedUp = (field: FieldDescription, value: string): boolean =>
  value !== '' && (inputKind(field.type) !== 'integer' || isNumberText(value));

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
  const { field, name_field: nameField, primary_key: key } = schema;
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
    // A part of a key is shared by many records.
    field.find((candidate) => isText(candidate) && !(key.length > 1 && key.includes(candidate.name))) ??
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

/** The filter for records by a part of their name, or by exactly a value that references hold; undefined for all. */
export function searchFilter(schema: Schema, names: readonly string[], search: string): string | undefined {
  const text = search.trim();
  if (text === '') return undefined;
  const searchFields = schema.field.filter((candidate) => isSearchable(schema, candidate)).slice(0, maxSearchedFields);
  const filters = searchFields.map(({ name }) => `${name} like ${like(text)}`);
  for (const field of schema.field) {
    if (names.includes(field.name) && !searchFields.includes(field) && isComparable(field, text))
      filters.push(keyFilter([field], [text]));
  }
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
