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

/** How the records that belong to one refer to it. */
export interface ParentReference {
  /** Their columns. */
  columns: readonly string[];
  /** The parent's value for each. */
  values: readonly string[];
  /** Finds them. */
  filter: string;
}

/** The reference to a parent's columns by as many of other records; null when the parent has no value in one, so that there can be none. */
export function parentReference(
  schema: Schema,
  record: Row,
  parentColumns: readonly string[],
  columns: readonly string[],
): ParentReference | null {
  const values = parentColumns.map((name) => toDraft(record[name]) ?? null);
  if (values.length === 0 || values.includes(null)) return null;
  const texts = values.map(String);
  // The compared fields are of one kind: the parent's field says how the value is written.
  const fields = columns.map((name, index) => ({ ...fieldOf(schema, parentColumns[index] ?? ''), name }));
  // `{ref_field} = {value}` (OPEN-132).
  return { columns, values: texts, filter: keyFilter(fields, texts) };
}

const fieldOf = (schema: Schema, name: string): FieldDescription =>
  schema.field.find((field) => field.name === name) ?? ({ name, type: 'string' } as FieldDescription);

/** The filter for records that have some of these keys in these fields: the records of a page of assignments. */
export const anyKeyFilter = (fields: readonly FieldDescription[], keys: readonly (readonly string[])[]): string =>
  [...new Set(keys.map((key) => `(${keyFilter(fields, key)})`))].join(' or ');

/** What a new child record starts with. */
export const initialDraftsOf = ({ columns, values }: ParentReference): Drafts =>
  Object.fromEntries(columns.map((name, index) => [name, values[index]]));

/** Fields an assignment needs besides its references: with such a field, choosing a record is not enough to create one. */
export const extraRequiredFields = (junction: Schema, names: readonly string[]): FieldDescription[] =>
  junction.field.filter(
    (field) => isRequired(field) && !names.includes(field.name) && lockOf(field, junction, true) === null,
  );

/** Fields an assignment holds besides its key and its references: they are lost with it. */
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
