import type { FieldDescription, RelationDescription } from '@sluice/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { api } from '../../../api/index.ts';
import { pageCount } from '../../../list/index.ts';
import { text } from '../../../text/index.ts';
import { confirm, notify } from '../../../ui/index.ts';
import { joinFilters, keyFilter } from '../address/filter.ts';
import { pageHost } from '../address/grid-host.ts';
import { childPageSize, keyOf, keyText, pickKey, readGridState, writeGridState } from '../address/grid-state.ts';
import { pairedColumns, splitColumns } from '../address/relation-columns.ts';
import { type Row, type Schema, tablePath, tableQueryKey } from '../address/sources.ts';
import { anyKeyFilter, childHost, extraFields, extraRequiredFields, type ParentReference } from '../record/related.ts';
import type { TableRef } from '../reference/target.ts';
import { pageQuery } from '../reference/use-choices.ts';
import { valueText } from '../values/values.ts';
import type { Parent } from './child-panel.tsx';

/** An assignment: the record of the junction, and the record it leads to, if that can be read. */
export interface Assignment {
  junctionRow: Row;
  /** The values by which the junction refers to the record. */
  values: readonly string[];
  record: Row | undefined;
}

export interface JunctionSource {
  parent: Parent;
  relation: RelationDescription;
  /** The table of the records. */
  target: TableRef;
  /** The table of the junction. */
  junction: TableRef;
  /** The columns of the parent that the junction refers to. */
  parentColumns: readonly string[];
  /** How the junction refers to the parent. */
  reference: ParentReference;
}

/** The records that belong to one through a junction, ten at a time; adding and removing them writes the junction's records. */
export function useJunction({ parent, relation, target, junction, parentColumns, reference }: JunctionSource) {
  const { state: parentState, key } = parent;
  const client = useQueryClient();
  const navigate = useNavigate();
  const location = useLocation();
  const [isBusy, setBusy] = useState(false);
  const { columns: ownColumns, filter: junctionFilter } = reference;
  const host = childHost(pageHost(parentState.service, parentState.table), key, relation.name, junctionFilter, {});
  const params = host.parse(location)?.params ?? new URLSearchParams();
  const { page } = readGridState(params);

  const junctionsQuery = useQuery(pageQuery(junction.service, junction.table, junctionFilter, page));
  const schema = junctionsQuery.data?.meta.schema;
  const rows = junctionsQuery.data?.resource ?? [];
  // The columns of the junction that refer to the records, and those of the records that they refer to.
  const farColumns = schema ? splitColumns(relation.junction_ref_field, schema) : [];
  const targetColumns = pairedColumns(relation.ref_field, farColumns) ?? [];
  const farFields = farColumns.flatMap((column) => schema?.field.find(({ name }) => name === column) ?? []);
  const targetFields = targetColumns.map((name, index) => ({ ...farFields[index]!, name }));
  const isJoined = farFields.length > 0 && farFields.length === targetColumns.length;
  const keys = rows
    .filter((row) => farColumns.every((name) => (row[name] ?? null) !== null))
    .map((row) => valuesOf(row, farColumns));
  const filter = isJoined && keys.length > 0 ? anyKeyFilter(targetFields, keys) : null;
  const recordsQuery = useQuery({
    ...pageQuery(target.service, target.table, filter ?? undefined),
    enabled: filter !== null,
  });
  const recordsByKey = new Map(
    recordsQuery.data?.resource.map((record) => [keyText(valuesOf(record, targetColumns)), record]),
  );
  const count = junctionsQuery.data?.meta.count ?? 0;

  const reload = () => client.invalidateQueries({ queryKey: tableQueryKey(junction.service, junction.table) });
  const write = async (call: () => Promise<unknown>, message: string) => {
    if (isBusy) return;
    setBusy(true);
    try {
      await call();
      notify.success(message);
      await reload();
    } catch (error) {
      notify.error(text('data:title'), error);
    } finally {
      setBusy(false);
    }
  };
  const path = tablePath(junction.service, junction.table);
  const names = [...ownColumns, ...farColumns];

  return {
    /** Of the junction. */
    schema,
    targetSchema: recordsQuery.data?.meta.schema,
    /** The columns of the records that the junction refers to. */
    targetColumns,
    /** Whether the columns that the relation names do not match: nothing can be found by it. */
    isBroken: schema !== undefined && !isJoined,
    assignments: rows.map((junctionRow): Assignment => {
      const values = valuesOf(junctionRow, farColumns);
      return { junctionRow, values, record: recordsByKey.get(keyText(values)) };
    }),
    isLoading: junctionsQuery.isPending || (filter !== null && recordsQuery.isPending),
    error: junctionsQuery.error ?? recordsQuery.error,
    retry: () => void Promise.all([junctionsQuery.refetch(), filter === null ? null : recordsQuery.refetch()]),
    page,
    count,
    isBusy,
    /** Fields that adding would have to fill in besides its references. */
    requiredFields: schema ? extraRequiredFields(schema, names) : [],
    /** For records that can be added: where a column of the junction points both ways, they have the parent's value in it. */
    choiceFilter: sharedFilter(targetFields, farColumns, reference),
    goToPage: (to: number) => {
      const next = Math.min(pageCount(count, childPageSize), Math.max(1, to));
      navigate(host.locationFor(location, writeGridState(params, { page: next }), null));
    },
    add: (record: Row) =>
      write(
        () =>
          api.post(path, {
            body: {
              resource: [
                {
                  ...pickColumns(farColumns, record, targetColumns),
                  ...pickColumns(ownColumns, parent.record, parentColumns),
                },
              ],
            },
          }),
        text('data:child.added'),
      ),
    remove: async ({ junctionRow, values }: Assignment, name: string) => {
      if (!schema) return;
      const extraLabels = extraFields(schema, names).map((field) => field.label || field.name);
      const isSure = await confirm({
        message: text('data:child.confirmRemove', { record: name }),
        impact: removalImpact(schema, extraLabels, name),
        confirmLabel: text('data:child.removeIt'),
        danger: true,
      });
      if (!isSure) return;
      await write(
        () =>
          keyOf(schema, junctionRow)
            ? api.delete(path, { body: { resource: [pickKey(schema, junctionRow)] } })
            : api.delete(path, {
                query: { filter: joinFilters([junctionFilter, anyKeyFilter(farFields, [values])]) },
              }),
        text('data:child.removed'),
      );
    },
  };
}

const valuesOf = (row: Row, columns: readonly string[]): string[] => columns.map((name) => valueText(row[name]));

/** The values of some columns of a row, under other names. */
const pickColumns = (names: readonly string[], row: Row, columns: readonly string[]): Row =>
  Object.fromEntries(names.map((name, index) => [name, row[columns[index] ?? '']]));

function sharedFilter(
  targetFields: readonly FieldDescription[],
  farColumns: readonly string[],
  { columns, values }: ParentReference,
): string | undefined {
  const shared = targetFields.flatMap((field, index) => {
    const position = columns.indexOf(farColumns[index] ?? '');
    return position < 0 ? [] : [{ field, value: values[position] ?? '' }];
  });
  if (shared.length === 0) return undefined;
  return keyFilter(
    shared.map(({ field }) => field),
    shared.map(({ value }) => value),
  );
}

/** Says what is lost with an assignment: a table that joins two others may hold more than the two references. */
const removalImpact = (schema: Schema, extraLabels: readonly string[], record: string): string => {
  const table = schema.label || schema.name;
  return extraLabels.length === 0
    ? text('data:child.removeImpact', { table, record })
    : text('data:child.removeHeld', { table, fields: extraLabels.join(', ') });
};
