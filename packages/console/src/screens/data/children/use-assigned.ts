import type { RelationDescription } from '@sluice/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { api } from '../../../api/index.ts';
import { pageCount } from '../../../list/index.ts';
import { text } from '../../../text/index.ts';
import { confirm, notify } from '../../../ui/index.ts';
import { joinFilters } from '../place/filter.ts';
import { childPageSize, keyOf, pickKey, readGridState, writeGridState } from '../place/place.ts';
import { pageHost } from '../place/site.ts';
import { type Row, type Schema, tablePath, tableQueryKey } from '../place/sources.ts';
import { anyValueFilter, childHost, extraFields, extraRequiredFields, parentFilter } from '../record/related.ts';
import type { Target } from '../reference/target.ts';
import { pageQuery } from '../reference/use-choices.ts';
import { valueText } from '../values/values.ts';
import type { Parent } from './child-panel.tsx';

type Place = Pick<Target, 'service' | 'table'>;

/** An assignment: the record of the junction, and the one it leads to as far as that can be read. */
export interface Assignment {
  junction: Row;
  /** What the junction names it by. */
  value: string;
  record: Row | undefined;
}

/** The records that belong to one through a junction, ten at a time; adding and removing them writes the junction's records. */
export function useAssigned(
  parent: Parent,
  relation: RelationDescription,
  place: Place,
  through: Place,
  values: readonly string[],
) {
  const { state: above, schema: parentSchema, key } = parent;
  const client = useQueryClient();
  const navigate = useNavigate();
  const location = useLocation();
  const [isBusy, setBusy] = useState(false);
  const own = relation.junction_field ?? '';
  const other = relation.junction_ref_field ?? '';
  const within = parentFilter(parentSchema, relation, [own], values);
  const site = childHost(pageHost(above.service, above.table), key, relation.name, within, {});
  const params = site.parse(location)?.params ?? new URLSearchParams();
  const { page } = readGridState(params);

  const junctions = useQuery(pageQuery(through.service, through.table, within, page));
  const schema = junctions.data?.meta.schema;
  const rows = junctions.data?.resource ?? [];
  const reference = schema?.field.find(({ name }) => name === other);
  const wanted = rows.map((row) => valueText(row[other])).filter((value) => value !== '');
  const filter =
    reference && wanted.length > 0 ? anyValueFilter({ ...reference, name: relation.ref_field }, wanted) : null;
  const records = useQuery({ ...pageQuery(place.service, place.table, filter ?? undefined), enabled: filter !== null });
  const found = new Map(records.data?.resource.map((record) => [valueText(record[relation.ref_field]), record]));
  const count = junctions.data?.meta.count ?? 0;

  const reread = () => client.invalidateQueries({ queryKey: tableQueryKey(through.service, through.table) });
  const write = async (call: () => Promise<unknown>, done: string) => {
    if (isBusy) return;
    setBusy(true);
    try {
      await call();
      notify.success(done);
      await reread();
    } catch (error) {
      notify.error(text('data:title'), error);
    } finally {
      setBusy(false);
    }
  };
  const path = tablePath(through.service, through.table);
  const names = [own, other];

  return {
    /** Of the junction. */
    schema,
    targetSchema: records.data?.meta.schema,
    assignments: rows.map((junction): Assignment => {
      const value = valueText(junction[other]);
      return { junction, value, record: found.get(value) };
    }),
    isLoading: junctions.isPending || (filter !== null && records.isPending),
    error: junctions.error ?? records.error,
    retry: () => void Promise.all([junctions.refetch(), filter === null ? null : records.refetch()]),
    page,
    count,
    isBusy,
    /** What adding would have to fill in besides. */
    needed: schema ? extraRequiredFields(schema, names) : [],
    go: (to: number) => {
      const next = Math.min(pageCount(count, childPageSize), Math.max(1, to));
      navigate(site.locationFor(location, writeGridState(params, { page: next }), null));
    },
    add: (record: Row) =>
      write(
        () =>
          api.post(path, {
            body: { resource: [{ [own]: parent.record[relation.field], [other]: record[relation.ref_field] }] },
          }),
        text('data:child.added'),
      ),
    remove: async ({ junction, value }: Assignment, name: string) => {
      if (!schema || !reference) return;
      const held = extraFields(schema, names).map((field) => field.label || field.name);
      const isSure = await confirm({
        message: text('data:child.confirmRemove', { record: name }),
        impact: impactOf(schema, held, name),
        confirmLabel: text('data:child.removeIt'),
        danger: true,
      });
      if (!isSure) return;
      await write(
        () =>
          keyOf(schema, junction)
            ? api.delete(path, { body: { resource: [pickKey(schema, junction)] } })
            : api.delete(path, { query: { filter: joinFilters([within, anyValueFilter(reference, [value])]) } }),
        text('data:child.removed'),
      );
    },
  };
}

/** What goes with an assignment: a table that joins two others may hold much more than that. */
const impactOf = (schema: Schema, held: readonly string[], record: string): string => {
  const table = schema.label || schema.name;
  return held.length === 0
    ? text('data:child.removeImpact', { table, record })
    : text('data:child.removeHeld', { table, fields: held.join(', ') });
};
