// The tables that belong to a record: which there are, and how their records are found and made. Pure.
import type { FieldDescription, RelationDescription } from '@sluice/contract';
import { keyFilter } from '../address/filter.ts';
import { type GridHost, type LocationParts, pageHost } from '../address/grid-host.ts';
import { childPageSize, keyText, withRecordKey } from '../address/grid-state.ts';
import type { Row, Schema } from '../address/sources.ts';
import { type Drafts, isRequired, lockOf, toDraft } from '../values/values.ts';

/** The relations from a record to its children: all but `belongs_to`. */
export const childRelations = (schema: Pick<Schema, 'related'>): RelationDescription[] =>
  schema.related.filter(({ type }) => type !== 'belongs_to');

/** The columns of a key, which relations join by commas. */
export const splitColumns = (names: string | null): string[] =>
  names
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean) ?? [];

/** The parent's values that its children hold; null when one is missing, so that there can be no children. */
export function parentValues(relation: RelationDescription, record: Row): string[] | null {
  const values = splitColumns(relation.field).map((name) => toDraft(record[name]));
  return values.length > 0 && values.every((value) => value !== null && value !== undefined)
    ? values.map(String)
    : null;
}

/** `{ref_field} = {value}` (OPEN-132): the records in which these fields have the parent's values. */
export function parentFilter(
  schema: Schema,
  relation: RelationDescription,
  names: readonly string[],
  values: readonly string[],
): string {
  const parentColumns = splitColumns(relation.field);
  // The compared fields are of one kind: the parent's field says how the value is written.
  const fields = names.map((name, index) => ({ ...fieldOf(schema, parentColumns[index] ?? ''), name }));
  return keyFilter(fields, values);
}

const fieldOf = (schema: Schema, name: string): FieldDescription =>
  schema.field.find((field) => field.name === name) ?? ({ name, type: 'string' } as FieldDescription);

/** The filter for records with one of these values in a field: the records of a page of assignments. */
export const anyValueFilter = (field: FieldDescription, values: readonly string[]): string =>
  [...new Set(values)].map((value) => `(${keyFilter([field], [value])})`).join(' or ');

/** What a new child record starts with. */
export const initialDraftsOf = (names: readonly string[], values: readonly string[]): Drafts =>
  Object.fromEntries(names.map((name, index) => [name, values[index]]));

/** Fields an assignment needs besides the two references: with such a field, choosing a record is not enough to create one. */
export const extraRequiredFields = (junction: Schema, names: readonly string[]): FieldDescription[] =>
  junction.field.filter(
    (field) => isRequired(field) && !names.includes(field.name) && lockOf(field, junction, true) === null,
  );

/** Fields an assignment holds besides its key and the two references: they are lost with it. */
export const extraFields = (junction: Schema, names: readonly string[]): FieldDescription[] =>
  junction.field.filter((field) => !names.includes(field.name) && !field.is_primary_key);

/** The address of a record with one of its child tables open, or with the choice of one. */
export function relatedLocation(
  service: string,
  table: string,
  from: LocationParts,
  key: readonly string[],
  relation: string | null,
): LocationParts {
  const host = pageHost(service, table);
  const params = withRecordKey(host.parse(from)?.params ?? new URLSearchParams(), key);
  if (relation !== null) params.set('child', relation);
  return host.locationFor(from, params, 'related');
}

const prefix = 'child.';

/** A child table inside its parent's record: its state is in the same address, each name prefixed with `child.`. */
export function childHost(
  parent: GridHost,
  key: readonly string[],
  relation: string,
  fixedFilter: string,
  initialDrafts: Drafts,
): GridHost {
  return {
    pageSize: childPageSize,
    fixedFilter,
    initialDrafts,
    parse: (location) => {
      const parsed = parent.parse(location);
      if (parsed?.pane !== 'related' || parsed.params.get('child') !== relation) return null;
      if (keyText(parsed.params.getAll('key')) !== keyText(key)) return null;
      const childParams = [...parsed.params].filter(([name]) => name.startsWith(prefix));
      const params = new URLSearchParams(childParams.map(([name, value]) => [name.slice(prefix.length), value]));
      const pane = params.get('pane');
      params.delete('pane');
      return { params, pane };
    },
    locationFor: (from, params, pane) => {
      const next = new URLSearchParams(parent.parse(from)?.params);
      for (const name of [...next.keys()]) if (name.startsWith(prefix)) next.delete(name);
      for (const [name, value] of params) next.append(`${prefix}${name}`, value);
      if (pane) next.set(`${prefix}pane`, pane);
      return parent.locationFor(from, next, 'related');
    },
  };
}
