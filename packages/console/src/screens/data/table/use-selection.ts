// The selected records of a table, by their keys.
import { useMemo, useRef, useState } from 'react';
import { emptySelection, keepVisible, toggle, toggleAll } from '../../../list/index.ts';
import { keyOf, keyText } from '../address/grid-state.ts';
import type { Row, Schema } from '../address/sources.ts';

export function useSelection(schema: Schema | undefined, rows: readonly Row[], isContinuous: boolean) {
  const rowKeys = useMemo(() => rows.map((row) => (schema ? keyOf(schema, row) : null)), [rows, schema]);
  const rowIds = useMemo(() => rowKeys.flatMap((key) => (key ? [keyText(key)] : [])), [rowKeys]);
  const [selected, setSelected] = useState(emptySelection);
  // Only a part of a whole table is loaded: what was selected stays selected outside the viewport.
  const selection = useMemo(
    () => (isContinuous ? selected : keepVisible(selected, rowIds)),
    [selected, rowIds, isContinuous],
  );
  const selectedRowsById = useRef(new Map<string, Row>());
  return {
    /** The key of each row, null where it has none. */
    rowKeys,
    rowIds,
    selection,
    /** The selected records. */
    selectedRows: isContinuous
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
    clearSelection: () => setSelected(emptySelection),
  };
}
