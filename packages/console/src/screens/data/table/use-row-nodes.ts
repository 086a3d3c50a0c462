// The rows of the grid, by index: records of the page or of the whole table, then the new ones that are not saved yet.
import { useMemo } from 'react';
import { keyOf, keyText } from '../address/grid-state.ts';
import type { Row, Schema } from '../address/sources.ts';
import type { RowDraft } from '../writing/edits.ts';
import { maxGridRows } from './windows.ts';

/** A row of the grid: a record, or a new one. */
export interface RowNode {
  /** Text of the key, or the id of a new row; null when the record has no key. */
  id: string | null;
  key: readonly string[] | null;
  row: Row;
  isNew: boolean;
}

interface RowNodeSource {
  schema: Schema | undefined;
  /** How many records can be shown: of the page, or of the whole table. */
  availableCount: number;
  rowAt: (index: number) => Row | undefined;
  newRows: ReadonlyMap<string, RowDraft>;
}

export function useRowNodes({ schema, availableCount, rowAt, newRows }: RowNodeSource) {
  const recordCount = Math.min(availableCount, maxGridRows);
  const newNodes = useMemo<RowNode[]>(
    () => [...newRows.keys()].map((id) => ({ id, key: null, row: emptyRow, isNew: true })),
    [newRows],
  );
  // Rows are compared by their node when they are rendered again.
  const cache = useMemo(() => ({ schema, nodes: new WeakMap<Row, RowNode>() }), [schema]);
  const rowNodeOf = (row: Row): RowNode => {
    const cached = cache.nodes.get(row);
    if (cached) return cached;
    const key = cache.schema ? keyOf(cache.schema, row) : null;
    const node = { id: key && keyText(key), key, row, isNew: false };
    cache.nodes.set(row, node);
    return node;
  };
  return {
    /** Rows of the grid, new ones included. */
    rowCount: recordCount + newNodes.length,
    /** Rows before the first new one. */
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
