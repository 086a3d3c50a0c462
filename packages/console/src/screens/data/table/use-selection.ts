// The records of a table that are ticked, by their keys.
import { useMemo, useRef, useState } from 'react';
import { keepShown, nothingSelected, toggle, toggleAll } from '../../../list/index.ts';
import { keyOf, keyText } from '../place/place.ts';
import type { Row, Schema } from '../place/sources.ts';

export function useSelection(schema: Schema | undefined, rows: readonly Row[], isWhole: boolean) {
  const keys = useMemo(() => rows.map((row) => (schema ? keyOf(schema, row) : null)), [rows, schema]);
  const ids = useMemo(() => keys.flatMap((key) => (key ? [keyText(key)] : [])), [keys]);
  const [ticked, setTicked] = useState(nothingSelected);
  // Of the whole table only a part is here: what was ticked stays so out of sight.
  const selection = useMemo(() => (isWhole ? ticked : keepShown(ticked, ids)), [ticked, ids, isWhole]);
  const tickedRows = useRef(new Map<string, Row>());
  return {
    /** Of each row, null where it has none. */
    keys,
    ids,
    selection,
    /** The records that are ticked. */
    chosen: isWhole
      ? [...selection.ids].map((id) => tickedRows.current.get(String(id))).filter((row) => row !== undefined)
      : rows.filter((_row, index) => selection.ids.has(keyText(keys[index] ?? []))),
    tick: (id: string, range: boolean) => {
      const next = toggle(selection, id, ids, range);
      for (const [index, key] of keys.entries()) {
        const each = key && keyText(key);
        if (each && next.ids.has(each)) tickedRows.current.set(each, rows[index]!);
      }
      setTicked(next);
    },
    tickAll: () => setTicked(toggleAll(selection, ids)),
    clearSelection: () => setTicked(nothingSelected),
  };
}
