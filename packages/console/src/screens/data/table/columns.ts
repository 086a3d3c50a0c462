// Which columns of a table a person sees and how wide; kept in this browser for each person and table.
import type { FieldDescription, SimpleType } from '@sluice/contract';
import { useCallback, useMemo, useState } from 'react';
import { useSession } from '../../../api/index.ts';
import type { Row, Schema } from '../address/sources.ts';
import { isNumeric, valueText } from '../values/values.ts';

/** How many columns are shown until someone chooses (TBL-045). */
export const maxDefaultColumns = 8;
export const minColumnWidth = 64;
export const maxColumnWidth = 900;

/** Names that tell a record apart (TBL-046, OPEN-120): `title`, `first_name`, `customerEmail`, `Company Name`. */
const identifyingPattern = /(^|[\s_.-])(title|[fl]_?name|first_?name|last_?name|name|e-?mail|phone)$/i;
const isIdentifying = (name: string): boolean => identifyingPattern.test(name.replace(/([a-z])([A-Z])/g, '$1_$2'));
const dateTypes = /^(date|time|datetime|timestamp)/;

const rank = (schema: Schema, field: FieldDescription): number => {
  // Without its key a row has no identity.
  if (schema.primary_key.includes(field.name)) return 0;
  if (field.name === schema.name_field || isIdentifying(field.name)) return 1;
  if (dateTypes.test(field.type)) return 2;
  return field.type === 'binary' ? 4 : 3;
};

/** The columns shown at first, at most eight: key, telling names, dates, then the others; in the table's order. */
export function defaultColumns(schema: Schema): string[] {
  const byRank = schema.field.map((field, index) => ({ field, index, rank: rank(schema, field) }));
  const selected = byRank.sort((a, b) => a.rank - b.rank || a.index - b.index).slice(0, maxDefaultColumns);
  return selected.sort((a, b) => a.index - b.index).map(({ field }) => field.name);
}

/** The field that names a record best, for a card's first line; the key's first field when none does. */
export const titleFieldName = (schema: Schema): string | undefined =>
  schema.name_field ??
  schema.field.find((field) => isIdentifying(field.name))?.name ??
  schema.primary_key[0] ??
  schema.field[0]?.name;

const defaultWidths: Partial<Record<SimpleType, number>> = {
  id: 80,
  boolean: 96,
  date: 112,
  datetime: 168,
  timestamp: 168,
  binary: 192,
};
const letterWidth = 7.6;
/** Digits are all as wide as the widest; a number that is cut would be another one. */
const digitWidth = 9;
const headPadding = 44;
const cellPadding = 24;
const maxDefaultWidth = 288;

/** How wide a column is until someone drags it: as its type wants, its name and the values at hand need, within reason. */
export function defaultWidth(field: FieldDescription, rows: readonly Row[]): number {
  const longest = Math.max(0, ...rows.map((row) => valueText(row[field.name]).length));
  const contentWidth =
    field.type === 'binary' ? 0 : longest * (isNumeric(field.type) ? digitWidth : letterWidth) + cellPadding;
  const minimum = Math.max(defaultWidths[field.type] ?? 96, field.name.length * letterWidth + headPadding);
  return Math.round(Math.min(maxDefaultWidth, Math.max(minimum, contentWidth)));
}

export interface ColumnLayout {
  /** Names of the shown columns, in their order; null while nobody has chosen. */
  shown: string[] | null;
  /** Pixels, by name. */
  widths: Record<string, number>;
}

const emptyLayout: ColumnLayout = { shown: null, widths: {} };

/** What was kept; anything unreadable counts as nothing. */
export function readLayout(text: string | null): ColumnLayout {
  try {
    return parseLayout(JSON.parse(text ?? 'null'));
  } catch {
    return emptyLayout;
  }
}

export function parseLayout(value: unknown): ColumnLayout {
  if (typeof value !== 'object' || value === null) return emptyLayout;
  const { shown, widths } = value as Partial<ColumnLayout>;
  return {
    shown: Array.isArray(shown) ? [...new Set(shown.filter((name) => typeof name === 'string'))] : null,
    widths: Object.fromEntries(Object.entries(widths ?? {}).filter(([, width]) => Number.isFinite(width))),
  };
}

/** Shows a column after the one it follows in the table, as far as that is shown; or hides it. */
export function toggleColumn(shown: readonly string[], all: readonly string[], name: string): string[] {
  if (shown.includes(name)) return shown.filter((column) => column !== name);
  const before = all.slice(0, all.indexOf(name)).findLast((column) => shown.includes(column));
  const index = before === undefined ? 0 : shown.indexOf(before) + 1;
  return shown.toSpliced(index, 0, name);
}

const addColumn = (all: readonly string[]) => (shown: string[], name: string) =>
  shown.includes(name) ? shown : toggleColumn(shown, all, name);

/** Puts a column where another one is; the others make room. */
export function moveColumn(shown: readonly string[], name: string, index: number): string[] {
  const rest = shown.filter((column) => column !== name);
  return rest.length === shown.length ? rest : rest.toSpliced(Math.max(0, index), 0, name);
}

const clampWidth = (width: number): number => Math.round(Math.min(maxColumnWidth, Math.max(minColumnWidth, width)));

/** Columns of the table as this person wants them, and how to change them. */
export function useColumns(service: string, table: string, schema: Schema | undefined) {
  const key = `sluice.data.columns.${useSession()?.id ?? 'anyone'}.${JSON.stringify([service, table])}`;
  const [state, setState] = useState(() => ({ key, kept: readLayout(localStorage.getItem(key)) }));
  const layout = useMemo(() => (state.key === key ? state.kept : readLayout(localStorage.getItem(key))), [state, key]);
  const change = useCallback(
    (next: ColumnLayout) => {
      setState({ key, kept: next });
      if (next.shown === null && Object.keys(next.widths).length === 0) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(next));
    },
    [key],
  );

  const all = useMemo(() => schema?.field.map((field) => field.name) ?? [], [schema]);
  const visible = useMemo(() => {
    if (!schema) return [];
    const chosen = layout.shown?.filter((name) => all.includes(name));
    // Columns that went away in the meantime leave the defaults rather than an empty grid.
    return chosen && (chosen.length > 0 || layout.shown?.length === 0) ? chosen : defaultColumns(schema);
  }, [layout.shown, all, schema]);

  const setVisible = (names: string[]) => change({ ...layout, shown: names });
  return {
    visible,
    widths: layout.widths,
    layout,
    isCustomized: layout.shown !== null || Object.keys(layout.widths).length > 0,
    toggle: (name: string) => setVisible(toggleColumn(visible, all, name)),
    toggleAll: () => setVisible(visible.length === all.length ? [] : all.reduce(addColumn(all), visible)),
    /** To the place of another column, counted from 0. */
    move: (name: string, index: number) => setVisible(moveColumn(visible, name, index)),
    resize: (widths: Record<string, number>) =>
      change({
        ...layout,
        widths: Object.fromEntries(Object.entries(widths).map(([name, width]) => [name, clampWidth(width)])),
      }),
    /** As wide as it was before anyone dragged it. */
    resetWidth: (name: string) =>
      change({
        ...layout,
        widths: Object.fromEntries(Object.entries(layout.widths).filter(([column]) => column !== name)),
      }),
    /** All of a saved view's. */
    applyLayout: change,
    reset: () => change(emptyLayout),
  };
}

export type Columns = ReturnType<typeof useColumns>;
