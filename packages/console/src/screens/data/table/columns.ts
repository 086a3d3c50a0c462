// Which columns of a table a person sees and how wide; kept in this browser for each person and table.
import type { FieldDescription, SimpleType } from '@sluice/contract';
import { useCallback, useMemo, useState } from 'react';
import { useSession } from '../../../api/index.ts';
import type { Row, Schema } from '../place/sources.ts';
import { isNumeric, valueText } from '../values/values.ts';

/** How many columns are shown until someone chooses (TBL-045). */
export const mostColumns = 8;
export const narrowest = 64;
export const widest = 900;

/** Names that tell a record apart (TBL-046, OPEN-120): `title`, `first_name`, `customerEmail`, `Company Name`. */
const telling = /(^|[\s_.-])(title|[fl]_?name|first_?name|last_?name|name|e-?mail|phone)$/i;
const isTelling = (name: string): boolean => telling.test(name.replace(/([a-z])([A-Z])/g, '$1_$2'));
const dates = /^(date|time|datetime|timestamp)/;

const rank = (schema: Schema, field: FieldDescription): number => {
  // Without its key a row has no identity.
  if (schema.primary_key.includes(field.name)) return 0;
  if (field.name === schema.name_field || isTelling(field.name)) return 1;
  if (dates.test(field.type)) return 2;
  return field.type === 'binary' ? 4 : 3;
};

/** The columns shown at first, at most eight: key, telling names, dates, then the others; in the table's order. */
export function defaultColumns(schema: Schema): string[] {
  const byRank = schema.field.map((field, index) => ({ field, index, rank: rank(schema, field) }));
  const chosen = byRank.sort((a, b) => a.rank - b.rank || a.index - b.index).slice(0, mostColumns);
  return chosen.sort((a, b) => a.index - b.index).map(({ field }) => field.name);
}

/** The field that names a record best, for a card's first line; the key's first field when none does. */
export const namingField = (schema: Schema): string | undefined =>
  schema.name_field ??
  schema.field.find((field) => isTelling(field.name))?.name ??
  schema.primary_key[0] ??
  schema.field[0]?.name;

const widths: Partial<Record<SimpleType, number>> = {
  id: 80,
  boolean: 96,
  date: 112,
  datetime: 168,
  timestamp: 168,
  binary: 192,
};
const perLetter = 7.6;
/** Digits are all as wide as the widest; a number that is cut would be another one. */
const perDigit = 9;
const headPadding = 44;
const cellPadding = 24;
const roomiest = 288;

/** How wide a column is until someone drags it: as its type wants, its name and the values at hand need, within reason. */
export function defaultWidth(field: FieldDescription, rows: readonly Row[]): number {
  const longest = Math.max(0, ...rows.map((row) => valueText(row[field.name]).length));
  const needed = field.type === 'binary' ? 0 : longest * (isNumeric(field.type) ? perDigit : perLetter) + cellPadding;
  const least = Math.max(widths[field.type] ?? 96, field.name.length * perLetter + headPadding);
  return Math.round(Math.min(roomiest, Math.max(least, needed)));
}

export interface KeptColumns {
  /** Names of the shown columns, in their order; null while nobody has chosen. */
  shown: string[] | null;
  /** Pixels, by name. */
  widths: Record<string, number>;
}

const nothingKept: KeptColumns = { shown: null, widths: {} };

/** What was kept; anything unreadable counts as nothing. */
export function readKept(text: string | null): KeptColumns {
  try {
    return readColumns(JSON.parse(text ?? 'null'));
  } catch {
    return nothingKept;
  }
}

export function readColumns(value: unknown): KeptColumns {
  if (typeof value !== 'object' || value === null) return nothingKept;
  const { shown, widths } = value as Partial<KeptColumns>;
  return {
    shown: Array.isArray(shown) ? [...new Set(shown.filter((name) => typeof name === 'string'))] : null,
    widths: Object.fromEntries(Object.entries(widths ?? {}).filter(([, width]) => Number.isFinite(width))),
  };
}

/** Shows a column after the one it follows in the table, as far as that is shown; or hides it. */
export function toggled(shown: readonly string[], all: readonly string[], name: string): string[] {
  if (shown.includes(name)) return shown.filter((each) => each !== name);
  const before = all.slice(0, all.indexOf(name)).findLast((each) => shown.includes(each));
  const at = before === undefined ? 0 : shown.indexOf(before) + 1;
  return shown.toSpliced(at, 0, name);
}

const withColumn = (all: readonly string[]) => (shown: string[], name: string) =>
  shown.includes(name) ? shown : toggled(shown, all, name);

/** Puts a column where another one is; the others make room. */
export function movedTo(shown: readonly string[], name: string, place: number): string[] {
  const rest = shown.filter((each) => each !== name);
  return rest.length === shown.length ? rest : rest.toSpliced(Math.max(0, place), 0, name);
}

const bounded = (width: number): number => Math.round(Math.min(widest, Math.max(narrowest, width)));

/** Columns of the table as this person wants them, and how to change them. */
export function useColumns(service: string, table: string, schema: Schema | undefined) {
  const key = `sluice.data.columns.${useSession()?.id ?? 'anyone'}.${JSON.stringify([service, table])}`;
  const [state, setState] = useState(() => ({ key, kept: readKept(localStorage.getItem(key)) }));
  const kept = useMemo(() => (state.key === key ? state.kept : readKept(localStorage.getItem(key))), [state, key]);
  const change = useCallback(
    (next: KeptColumns) => {
      setState({ key, kept: next });
      if (next.shown === null && Object.keys(next.widths).length === 0) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(next));
    },
    [key],
  );

  const all = useMemo(() => schema?.field.map((field) => field.name) ?? [], [schema]);
  const shown = useMemo(() => {
    if (!schema) return [];
    const chosen = kept.shown?.filter((name) => all.includes(name));
    // Columns that went away in the meantime leave the defaults rather than an empty grid.
    return chosen && (chosen.length > 0 || kept.shown?.length === 0) ? chosen : defaultColumns(schema);
  }, [kept.shown, all, schema]);

  const show = (names: string[]) => change({ ...kept, shown: names });
  return {
    shown,
    widths: kept.widths,
    kept,
    isChosen: kept.shown !== null || Object.keys(kept.widths).length > 0,
    toggle: (name: string) => show(toggled(shown, all, name)),
    toggleAll: () => show(shown.length === all.length ? [] : all.reduce(withColumn(all), shown)),
    /** To the place of another column, counted from 0. */
    move: (name: string, place: number) => show(movedTo(shown, name, place)),
    resize: (widths: Record<string, number>) =>
      change({
        ...kept,
        widths: Object.fromEntries(Object.entries(widths).map(([name, width]) => [name, bounded(width)])),
      }),
    /** As wide as it was before anyone dragged it. */
    fit: (name: string) =>
      change({ ...kept, widths: Object.fromEntries(Object.entries(kept.widths).filter(([each]) => each !== name)) }),
    /** All of a saved view's. */
    take: change,
    reset: () => change(nothingKept),
  };
}

export type Columns = ReturnType<typeof useColumns>;
