import type { RelationDescription } from '@sluice/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { api } from '../../../api/index.ts';
import { pageCount } from '../../../list/index.ts';
import { text } from '../../../text/index.ts';
import { confirm, notify } from '../../../ui/index.ts';
import { joinFilters } from '../address/filter.ts';
import { pageHost } from '../address/grid-host.ts';
import { childPageSize, keyOf, pickKey, readGridState, writeGridState } from '../address/grid-state.ts';
import { type Row, type Schema, tablePath, tableQueryKey } from '../address/sources.ts';
import { anyValueFilter, childHost, extraFields, extraRequiredFields, parentFilter } from '../record/related.ts';
import type { TableRef } from '../reference/target.ts';
import { pageQuery } from '../reference/use-choices.ts';
import { valueText } from '../values/values.ts';
import type { Parent } from './child-panel.tsx';

/** An assignment: the record of the junction, and the record it leads to, if that can be read. */
export interface Assignment {
  junctionRow: Row;
  /** The value by which the junction refers to the record. */
  value: string;
  record: Row | undefined;
}

/** The records that belong to one through a junction, ten at a time; adding and removing them writes the junction's records. */
export function useJunction(
  parent: Parent,
  relation: RelationDescription,
  target: TableRef,
  junction: TableRef,
  values: readonly string[],
) {
  const { state: parentState, schema: parentSchema, key } = parent;
  const client = useQueryClient();
  const navigate = useNavigate();
  const location = useLocation();
  const [isBusy, setBusy] = useState(false);
  const parentField = relation.junction_field ?? '';
  const targetField = relation.junction_ref_field ?? '';
  const junctionFilter = parentFilter(parentSchema, relation, [parentField], values);
  const host = childHost(pageHost(parentState.service, parentState.table), key, relation.name, junctionFilter, {});
  const params = host.parse(location)?.params ?? new URLSearchParams();
  const { page } = readGridState(params);

  const junctionsQuery = useQuery(pageQuery(junction.service, junction.table, junctionFilter, page));
  const schema = junctionsQuery.data?.meta.schema;
  const rows = junctionsQuery.data?.resource ?? [];
  const reference = schema?.field.find(({ name }) => name === targetField);
  const targetValues = rows.map((row) => valueText(row[targetField])).filter((value) => value !== '');
  const filter =
    reference && targetValues.length > 0
      ? anyValueFilter({ ...reference, name: relation.ref_field }, targetValues)
      : null;
  const recordsQuery = useQuery({
    ...pageQuery(target.service, target.table, filter ?? undefined),
    enabled: filter !== null,
  });
  const recordsByValue = new Map(
    recordsQuery.data?.resource.map((record) => [valueText(record[relation.ref_field]), record]),
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
  const names = [parentField, targetField];

  return {
    /** Of the junction. */
    schema,
    targetSchema: recordsQuery.data?.meta.schema,
    assignments: rows.map((junctionRow): Assignment => {
      const value = valueText(junctionRow[targetField]);
      return { junctionRow, value, record: recordsByValue.get(value) };
    }),
    isLoading: junctionsQuery.isPending || (filter !== null && recordsQuery.isPending),
    error: junctionsQuery.error ?? recordsQuery.error,
    retry: () => void Promise.all([junctionsQuery.refetch(), filter === null ? null : recordsQuery.refetch()]),
    page,
    count,
    isBusy,
    /** Fields that adding would have to fill in besides the two references. */
    requiredFields: schema ? extraRequiredFields(schema, names) : [],
    goToPage: (to: number) => {
      const next = Math.min(pageCount(count, childPageSize), Math.max(1, to));
      navigate(host.locationFor(location, writeGridState(params, { page: next }), null));
    },
    add: (record: Row) =>
      write(
        () =>
          api.post(path, {
            body: {
              resource: [{ [parentField]: parent.record[relation.field], [targetField]: record[relation.ref_field] }],
            },
          }),
        text('data:child.added'),
      ),
    remove: async ({ junctionRow, value }: Assignment, name: string) => {
      if (!schema || !reference) return;
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
                query: { filter: joinFilters([junctionFilter, anyValueFilter(reference, [value])]) },
              }),
        text('data:child.removed'),
      );
    },
  };
}

/** Says what is lost with an assignment: a table that joins two others may hold more than the two references. */
const removalImpact = (schema: Schema, extraLabels: readonly string[], record: string): string => {
  const table = schema.label || schema.name;
  return extraLabels.length === 0
    ? text('data:child.removeImpact', { table, record })
    : text('data:child.removeHeld', { table, fields: extraLabels.join(', ') });
};
