// The rows of the grid, by their place: records of the page or of the whole table, then those that come with the next save.
import { useMemo } from 'react';
import { keyOf, keyText } from '../address/grid-state.ts';
import type { Row, Schema } from '../address/sources.ts';
import type { RowDraft } from '../writing/edits.ts';
import { maxGridRows } from './windows.ts';

export interface RowNode {
  /** Text of the key, or the name of a new record; null when nothing names it. */
  id: string | null;
  key: readonly string[] | null;
  row: Row;
  isNew: boolean;
}

interface RowNodeSource {
  schema: Schema | undefined;
  /** Records that can be seen: of the page, or of the whole table. */
  availableCount: number;
  rowAt: (index: number) => Row | undefined;
  added: ReadonlyMap<string, RowDraft>;
}

export function useRowNodes({ schema, availableCount, rowAt, added }: RowNodeSource) {
  const recordCount = Math.min(availableCount, maxGridRows);
  const newNodes = useMemo<RowNode[]>(
    () => [...added.keys()].map((id) => ({ id, key: null, row: emptyRow, isNew: true })),
    [added],
  );
  // A row that is drawn again is compared by its line.
  const cache = useMemo(() => ({ schema, lines: new WeakMap<Row, RowNode>() }), [schema]);
  const rowNodeOf = (row: Row): RowNode => {
    const cached = cache.lines.get(row);
    if (cached) return cached;
    const key = cache.schema ? keyOf(cache.schema, row) : null;
    const node = { id: key && keyText(key), key, row, isNew: false };
    cache.lines.set(row, node);
    return node;
  };
  return {
    /** Rows of the grid, new ones included. */
    rowCount: recordCount + newNodes.length,
    recordCount,
    /** Undefined while it is being read. */
    rowNodeAt: (index: number): RowNode | undefined => {
      if (index >= recordCount) return newNodes[index - recordCount];
      const row = rowAt(index);
      return row && rowNodeOf(row);
    },
    rowNodeOf,
  };
}

const emptyRow: Row = {};
