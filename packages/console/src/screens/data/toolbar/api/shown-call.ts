// The call that answers what a table shows: its records with filter, order and fields, or the record that is open. Pure.
import { parameterName } from '@sluice/contract';
import { orderText } from '../../../../list/index.ts';
import { keyFilter } from '../../address/filter.ts';
import { type GridState, keyFields } from '../../address/grid-state.ts';
import type { Schema } from '../../address/sources.ts';

interface ShownRecords {
  /** Path of the table's records. */
  path: string;
  schema: Schema;
  filter: string | undefined;
  order: GridState['order'];
  /** The rows: of a page, or those one sees of the whole table. */
  limit: number;
  offset: number;
  /** Names of the visible columns. */
  fields: readonly string[];
}

export interface ShownCall {
  path: string;
  query: Record<string, string>;
}

export const recordsCall = ({ path, schema, filter, order, limit, offset, fields }: ShownRecords): ShownCall => ({
  path,
  query: {
    ...(filter ? { filter } : {}),
    ...(order ? { order: orderText(order) } : {}),
    ...fieldsParameter(schema, fields),
    limit: String(limit),
    ...(offset > 0 ? { offset: String(offset) } : {}),
  },
});

/** A record by the segment of its key; where that says not exactly it, by a filter (contract/database-tables.md §3.5). */
export function recordCall(path: string, schema: Schema, key: readonly string[]): ShownCall {
  const [only = ''] = key;
  if (key.length === 1 && /^[\w-]+$/.test(only)) return { path: `${path}/${only}`, query: {} };
  return { path, query: { filter: keyFilter(keyFields(schema), key), limit: '1' } };
}

/** All fields are the server's own choice. */
function fieldsParameter({ field }: Schema, names: readonly string[]): { fields?: string } {
  const isAll =
    names.length === 0 || (names.length === field.length && field.every(({ name }, at) => name === names[at]));
  return isAll ? {} : { fields: names.map(parameterName).join(',') };
}
