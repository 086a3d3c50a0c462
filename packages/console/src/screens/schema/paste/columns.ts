// The columns of pasted data as fields of a table to be: what was guessed, what was changed, which values do not fit. Pure.
import { type FieldDraft, newField } from '../draft/field.ts';
import { newTable, type TableDraft } from '../draft/table.ts';
import { type Guess, guessColumn } from './guess/guess-column.ts';
import { toFieldNames, uniqueName } from './guess/names.ts';
import { type ColumnType, isNullWord, parseAs, type SentValue } from './guess/shapes.ts';
import type { Cell, Sheet } from './read/read-data.ts';
import type { Work } from './read/slices.ts';

/** What one can change of a column. */
export interface ColumnChoice {
  name: string;
  type: ColumnType;
  /** Characters of a string, digits of a decimal. */
  length: number | null;
  scale: number | null;
  allowNull: boolean;
  isPrimaryKey: boolean;
  isUsed: boolean;
}

export interface Column extends ColumnChoice {
  /** Its place in the rows. */
  index: number;
  heading: string | null;
  guess: Guess;
  /** Values that do not fit what was chosen. */
  misfits: number;
}

export interface DataTable {
  columns: Column[];
  /** Without the heading. */
  rows: Cell[][];
}

/** The columns of a sheet as they are guessed. */
export function* guessColumns(sheet: Sheet, isHeaded: boolean, canStoreJson: boolean): Work<DataTable> {
  const isHeading = sheet.names === null && isHeaded;
  const headings = sheet.names ?? (isHeading ? sheet.rows[0]! : Array.from({ length: sheet.columnCount }, () => null));
  const rows = isHeading ? sheet.rows.slice(1) : sheet.rows;
  const columns: Column[] = [];
  for (const [index, name] of toFieldNames(headings).entries()) {
    const guess = yield* guessColumn(rows, index, { name, kinds: sheet.kinds?.[index] ?? null, canStoreJson });
    const { type, length, scale, allowNull, isPrimaryKey } = guess;
    const heading = headings[index] ?? null;
    columns.push({
      index,
      heading,
      name,
      type,
      length,
      scale,
      allowNull,
      isPrimaryKey,
      isUsed: true,
      guess,
      misfits: 0,
    });
  }
  return { columns, rows };
}

/** Sizes a type begins with when it is chosen. */
const sizesOf = (type: ColumnType, guess: Guess): Pick<ColumnChoice, 'length' | 'scale'> => {
  if (type === guess.type) return { length: guess.length, scale: guess.scale };
  if (type === 'string') return { length: Math.max(255, guess.reason.longest ?? 0), scale: null };
  return type === 'decimal' ? { length: 18, scale: 4 } : { length: null, scale: null };
};

/** A column after a change, its misfits counted again. */
export function changeColumn(column: Column, change: Partial<ColumnChoice>, rows: readonly Cell[][]): Column {
  const changed: Column = { ...column, ...change };
  if (change.type && change.type !== column.type) {
    Object.assign(changed, sizesOf(change.type, column.guess));
    changed.isPrimaryKey = change.type === 'id' || column.isPrimaryKey;
  }
  if (changed.isPrimaryKey) changed.allowNull = false;
  return { ...changed, misfits: countMisfits(changed, rows) };
}

const isText = (type: ColumnType): boolean => type === 'string' || type === 'text';

/** What is sent for a cell, null included; undefined when it does not fit. */
export function fitCell(cell: Cell, column: ColumnChoice & Pick<Column, 'guess'>): SentValue | null | undefined {
  const { type, length, scale, allowNull, guess } = column;
  if (cell === null || (!isText(type) && (cell === '' || isNullWord(cell)))) {
    if (allowNull) return null;
    return isText(type) && !column.isPrimaryKey ? '' : undefined;
  }
  const value = parseAs(cell, type, guess.mark);
  if (value === null) return undefined;
  if (type === 'string' && length !== null && cell.length > length) return undefined;
  return type === 'decimal' && !fitsDigits(String(value), length, scale) ? undefined : value;
}

const fitsDigits = (text: string, length: number | null, scale: number | null): boolean => {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  if (length === null) return true;
  return fraction.length <= (scale ?? 0) && (whole === '0' ? 0 : whole.length) <= length - (scale ?? 0);
};

function countMisfits(column: Column, rows: readonly Cell[][]): number {
  if (!column.isUsed) return 0;
  return rows.reduce((count, row) => count + (fitCell(row[column.index]!, column) === undefined ? 1 : 0), 0);
}

/** A field that counts, for data without a key. */
export const countedField = (columns: readonly Column[]): FieldDraft => {
  const taken = new Set(columns.filter(({ isUsed }) => isUsed).map(({ name }) => name.toLowerCase()));
  return { ...newTable().field[0]!, name: uniqueName('id', taken) };
};

export const hasKey = (columns: readonly Column[]): boolean =>
  columns.some(({ isUsed, isPrimaryKey }) => isUsed && isPrimaryKey);

function toField({ name, type, length, scale, allowNull, isPrimaryKey }: Column): FieldDraft {
  const field = { ...newField(name.trim()), type, is_primary_key: isPrimaryKey };
  if (type === 'id') return { ...field, auto_increment: true };
  const sizes = type === 'decimal' ? { length, precision: length, scale } : { length };
  return { ...field, ...sizes, allow_null: allowNull && !isPrimaryKey };
}

/** The table as it is sent. */
export function toTable(name: string, columns: readonly Column[], addsId: boolean): TableDraft {
  const fields = columns.filter(({ isUsed }) => isUsed).map(toField);
  const field = addsId && !hasKey(columns) ? [countedField(columns), ...fields] : fields;
  return { ...newTable(name.trim()), field };
}
