// A plan for the driver: SQL, and how its rows become JSON.
import { exactNumber, jsonRowWriter, type RowLayout, toWire, wireColumn } from '../../convert/wire.ts';
import type { Column } from '../../schema/index.ts';
import { isSpatial, typeOfColumn } from './types.ts';
import { repairFor } from './values.ts';

export interface MysqlPlan {
  sql: string;
  /** A row of the driver, values in the order of the columns, as a JSON object. */
  write(values: readonly unknown[]): string;
  /** Shapes are among the columns: the driver would take them apart. */
  isSpatial: boolean;
}

export function mysqlPlan(sql: string, columns: Column[], layout?: RowLayout): MysqlPlan {
  return {
    sql,
    write: jsonRowWriter(
      columns.map((column) => ({ name: column.name, write: writerOf(column) })),
      layout,
    ),
    isSpatial: columns.some((column) => isSpatial(typeOfColumn(column))),
  };
}

/**
 * The JSON of a value of the driver; never called with null. A table may change between the plan and its rows: whatever
 * comes, JSON has to come of it.
 */
type Writer = (value: unknown) => string;

const momentTypes = new Set(['date', 'datetime', 'timestamp', 'time']);

function writerOf(column: Column): Writer {
  const { kind } = wireColumn(column);
  const repair = repairFor(column);
  const plain: Writer = (value) => {
    const wire = toWire(kind, value);
    return typeof wire === 'string' ? JSON.stringify(wire) : String(wire);
  };
  if (repair) return (value) => plain(repair(value));
  if (kind === 'number') return (value) => (typeof value === 'string' ? writeDecimal(value) : plain(value));
  if (kind !== 'text') return plain;
  // Nothing in a moment has to be escaped; but the column may have become another one meanwhile.
  if (momentTypes.has(typeOfColumn(column).name))
    return (value) => (typeof value === 'string' && isMoment.test(value) ? `"${value}"` : plain(value));
  return (value) => (typeof value === 'string' ? JSON.stringify(value) : plain(value));
}

const isMoment = /^[\d:. -]*$/;

const [minus, point, zero, nine] = [0x2d, 0x2e, 0x30, 0x39];

/**
 * A number that the database sends as text: as it stands but for zeros at its end if it round-trips, which up to 15
 * digits always do, else as a string (contract/database-tables.md §9).
 */
export function writeDecimal(text: string): string {
  const begin = text.charCodeAt(0) === minus ? 1 : 0;
  const { length } = text;
  let pointIndex = -1;
  for (let index = begin; index < length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === point && pointIndex < 0 && index > begin) pointIndex = index;
    else if (code < zero || code > nine) return writeExact(text);
  }
  const wholeEnd = pointIndex < 0 ? length : pointIndex;
  const hasZerosInFront = wholeEnd - begin > 1 && text.charCodeAt(begin) === zero;
  if (length === begin || hasZerosInFront || length - begin > 16 || (length - begin === 16 && pointIndex < 0))
    return writeExact(text);
  if (pointIndex < 0) return begin === 1 && length === 2 ? writeExact(text) : text;
  let end = length;
  while (text.charCodeAt(end - 1) === zero) end -= 1;
  const short = text.slice(0, end - 1 === pointIndex ? pointIndex : end);
  return short === '-0' ? '0' : short;
}

function writeExact(text: string): string {
  const value = exactNumber(text);
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}
