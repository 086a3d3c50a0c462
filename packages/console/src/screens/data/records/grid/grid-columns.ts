// The visible columns of the grid: which, in what order, how wide; the first one is pinned.
import type { FieldDescription } from '@sluice/contract';
import {
  type ColumnDef,
  columnPinningFeature,
  columnResizingFeature,
  columnSizingFeature,
  tableFeatures,
  useTable as useColumnTable,
} from '@tanstack/react-table';
import { useMemo, useRef } from 'react';
import type { Row } from '../../address/sources.ts';
import { type Columns, defaultWidth, maxColumnWidth, minColumnWidth } from '../../table/columns.ts';
import type { TableState } from '../../table/use-table.ts';

const features = tableFeatures({ columnSizingFeature, columnResizingFeature, columnPinningFeature });
export type GridFeatures = typeof features;

const noRows: Row[] = [];

export function useGridColumns({ fields, rows }: TableState, columns: Columns) {
  // The first page decides, so that widths do not change from page to page.
  const sample = useRef(rows);
  const byName = useMemo(() => new Map(fields.map((field) => [field.name, field])), [fields]);
  const visibleFields = useMemo<FieldDescription[]>(
    () => columns.visible.flatMap((name) => byName.get(name) ?? []),
    [byName, columns.visible],
  );
  const definitions = useMemo<ColumnDef<GridFeatures, Row>[]>(
    () =>
      visibleFields.map((field) => ({
        id: field.name,
        accessorFn: (row: Row) => row[field.name],
        size: defaultWidth(field, sample.current),
        minSize: minColumnWidth,
        maxSize: maxColumnWidth,
      })),
    [visibleFields],
  );
  const [first] = visibleFields;
  const pinning = useMemo(() => ({ start: first === undefined ? [] : [first.name], end: [] }), [first]);
  // The table looks widths up by name, and a field may be called as something that every object inherits.
  const columnSizing = useMemo(() => Object.assign(Object.create(null), columns.widths), [columns.widths]);
  const table = useColumnTable({
    features,
    // Rows are rendered without it: this table knows columns only.
    data: noRows,
    columns: definitions,
    state: { columnSizing, columnPinning: pinning },
    onColumnSizingChange: (next) => columns.resize(typeof next === 'function' ? next(columns.widths) : next),
    columnResizeMode: 'onChange',
  });
  return { table, visibleFields };
}
