// Which columns of a table a person sees and how wide they are; stored in this browser for each person and table.
import type { FieldDescription, SimpleType } from '@sluice/contract';
import { useMemo } from 'react';
import type { Row, Schema } from '../address/sources.ts';
import { isNumeric, valueText } from '../values/values.ts';
import { useTableSetting } from './use-table-setting.ts';

/** How many columns are visible until someone chooses (TBL-045). */
export const maxDefaultColumns = 8;
export const minColumnWidth = 64;
export const maxColumnWidth = 900;

/** Names of fields that identify a record (TBL-046, OPEN-120): `title`, `first_name`, `customerEmail`, `Company Name`. */
const identifyingPattern = /(^|[\s_.-])(title|[fl]_?name|first_?name|last_?name|name|e-?mail|phone)$/i;
const isIdentifying = (name: string): boolean => identifyingPattern.test(name.replace(/([a-z])([A-Z])/g, '$1_$2'));
const dateTypes = /^(date|time|datetime|timestamp)/;

const rank = (schema: Schema, field: FieldDescription): number => {
  // A row without its key cannot be told from others.
  if (schema.primary_key.includes(field.name)) return 0;
  if (field.name === schema.name_field || isIdentifying(field.name)) return 1;
  if (dateTypes.test(field.type)) return 2;
  return field.type === 'binary' ? 4 : 3;
};

/** The columns visible at first, at most eight: key, identifying names, dates, then the others; in the table's order. */
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
/** All digits are as wide as the widest; a number that is cut would read as another number. */
const digitWidth = 9;
const headPadding = 44;
const cellPadding = 24;
const maxDefaultWidth = 288;

/** How wide a column is until someone drags it: wide enough for its type, its name and the loaded values, within bounds. */
export function defaultWidth(field: FieldDescription, rows: readonly Row[]): number {
  const longest = Math.max(0, ...rows.map((row) => valueText(row[field.name]).length));
  const contentWidth =
    field.type === 'binary' ? 0 : longest * (isNumeric(field.type) ? digitWidth : letterWidth) + cellPadding;
  const minimum = Math.max(defaultWidths[field.type] ?? 96, field.name.length * letterWidth + headPadding);
  return Math.round(Math.min(maxDefaultWidth, Math.max(minimum, contentWidth)));
}

export interface ColumnLayout {
  /** Names of the visible columns, in their order; null while nobody has chosen. This is how they are stored. */
  shown: string[] | null;
  /** Pixels, by name. */
  widths: Record<string, number>;
}

const emptyLayout: ColumnLayout = { shown: null, widths: {} };

/** Reads a stored layout; anything unreadable counts as none. */
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

/** Hides a column, or shows it after the nearest visible one that precedes it in the table. */
export function toggleColumn(visible: readonly string[], all: readonly string[], name: string): string[] {
  if (visible.includes(name)) return visible.filter((column) => column !== name);
  const before = all.slice(0, all.indexOf(name)).findLast((column) => visible.includes(column));
  const index = before === undefined ? 0 : visible.indexOf(before) + 1;
  return visible.toSpliced(index, 0, name);
}

const addColumn = (all: readonly string[]) => (visible: string[], name: string) =>
  visible.includes(name) ? visible : toggleColumn(visible, all, name);

/** Moves a column to the index of another one; the others move aside. */
export function moveColumn(visible: readonly string[], name: string, index: number): string[] {
  const rest = visible.filter((column) => column !== name);
  return rest.length === visible.length ? rest : rest.toSpliced(Math.max(0, index), 0, name);
}

const clampWidth = (width: number): number => Math.round(Math.min(maxColumnWidth, Math.max(minColumnWidth, width)));

const layoutSetting = {
  parse: readLayout,
  isEmpty: ({ shown, widths }: ColumnLayout): boolean => shown === null && Object.keys(widths).length === 0,
};

/** Columns of the table as this person wants them, and how to change them. */
export function useColumns(service: string, table: string, schema: Schema | undefined) {
  const [layout, saveLayout] = useTableSetting('columns', service, table, layoutSetting);
  const all = useMemo(() => schema?.field.map((field) => field.name) ?? [], [schema]);
  const visible = useMemo(() => {
    if (!schema) return [];
    const storedNames = layout.shown?.filter((name) => all.includes(name));
    // When all stored columns were dropped from the table, the defaults are better than an empty grid.
    return storedNames && (storedNames.length > 0 || layout.shown?.length === 0) ? storedNames : defaultColumns(schema);
  }, [layout.shown, all, schema]);

  const setVisible = (names: string[]) => saveLayout({ ...layout, shown: names });
  return {
    visible,
    widths: layout.widths,
    layout,
    isCustomized: layout.shown !== null || Object.keys(layout.widths).length > 0,
    toggle: (name: string) => setVisible(toggleColumn(visible, all, name)),
    toggleAll: () => setVisible(visible.length === all.length ? [] : all.reduce(addColumn(all), visible)),
    /** To an index among the visible columns, counted from 0. */
    move: (name: string, index: number) => setVisible(moveColumn(visible, name, index)),
    resize: (widths: Record<string, number>) =>
      saveLayout({
        ...layout,
        widths: Object.fromEntries(Object.entries(widths).map(([name, width]) => [name, clampWidth(width)])),
      }),
    /** Back to the width it had before anyone dragged it. */
    resetWidth: (name: string) =>
      saveLayout({
        ...layout,
        widths: Object.fromEntries(Object.entries(layout.widths).filter(([column]) => column !== name)),
      }),
    /** Takes over the layout of a saved view. */
    applyLayout: saveLayout,
    reset: () => saveLayout(emptyLayout),
  };
}

export type Columns = ReturnType<typeof useColumns>;
