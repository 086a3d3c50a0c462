// The records of a table that are ticked, by their keys.
import { useMemo, useRef, useState } from 'react';
import { keepShown, nothingSelected, toggle, toggleAll } from '../../../list/index.ts';
import { keyOf, keyText } from '../address/grid-state.ts';
import type { Row, Schema } from '../address/sources.ts';

export function useSelection(schema: Schema | undefined, rows: readonly Row[], isWhole: boolean) {
  const rowKeys = useMemo(() => rows.map((row) => (schema ? keyOf(schema, row) : null)), [rows, schema]);
  const rowIds = useMemo(() => rowKeys.flatMap((key) => (key ? [keyText(key)] : [])), [rowKeys]);
  const [selected, setSelected] = useState(nothingSelected);
  // Of the whole table only a part is here: what was ticked stays so out of sight.
  const selection = useMemo(() => (isWhole ? selected : keepShown(selected, rowIds)), [selected, rowIds, isWhole]);
  const selectedRowsById = useRef(new Map<string, Row>());
  return {
    rowKeys,
    rowIds,
    selection,
    /** The records that are ticked. */
    selectedRows: isWhole
      ? [...selection.ids].map((id) => selectedRowsById.current.get(String(id))).filter((row) => row !== undefined)
      : rows.filter((_row, index) => selection.ids.has(keyText(rowKeys[index] ?? []))),
    toggleRow: (id: string, range: boolean) => {
      const next = toggle(selection, id, rowIds, range);
      for (const [index, key] of rowKeys.entries()) {
        const rowId = key && keyText(key);
        if (rowId && next.ids.has(rowId)) selectedRowsById.current.set(rowId, rows[index]!);
      }
      setSelected(next);
    },
    toggleAllRows: () => setSelected(toggleAll(selection, rowIds)),
    clearSelection: () => setSelected(nothingSelected),
  };
}
