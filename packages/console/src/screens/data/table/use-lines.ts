// The rows of the grid, by their place: records of the page or of the whole table, then those that come with the next save.
import { useMemo } from 'react';
import { keyOf, keyText } from '../place/place.ts';
import type { Row, Schema } from '../place/sources.ts';
import type { Added } from '../writing/edits.ts';
import { mostRows } from './windows.ts';

export interface Line {
  /** Text of the key, or the name of a new record; null when nothing names it. */
  id: string | null;
  key: readonly string[] | null;
  row: Row;
  isNew: boolean;
}

interface Lines {
  schema: Schema | undefined;
  /** Records that can be seen: of the page, or of the whole table. */
  count: number;
  rowAt: (index: number) => Row | undefined;
  added: ReadonlyMap<string, Added>;
}

export function useLines({ schema, count, rowAt, added }: Lines) {
  const shown = Math.min(count, mostRows);
  const fresh = useMemo<Line[]>(
    () => [...added.keys()].map((id) => ({ id, key: null, row: nothing, isNew: true })),
    [added],
  );
  // A row that is drawn again is compared by its line.
  const made = useMemo(() => ({ schema, lines: new WeakMap<Row, Line>() }), [schema]);
  const lineOf = (row: Row): Line => {
    const known = made.lines.get(row);
    if (known) return known;
    const key = made.schema ? keyOf(made.schema, row) : null;
    const line = { id: key && keyText(key), key, row, isNew: false };
    made.lines.set(row, line);
    return line;
  };
  return {
    /** Rows of the grid, new ones included. */
    lineCount: shown + fresh.length,
    /** Rows before the first new one. */
    recordCount: shown,
    /** Undefined while it is being read. */
    lineAt: (index: number): Line | undefined => {
      if (index >= shown) return fresh[index - shown];
      const row = rowAt(index);
      return row && lineOf(row);
    },
    lineOf,
  };
}

const nothing: Row = {};
