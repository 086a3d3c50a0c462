// Whether a row is still as somebody read it. This file is also loaded by the database processes: it imports no more than
// wire.ts does.
import type { Row } from '../query/index.ts';
import { toWire, type WireColumn, type WireKind } from './wire.ts';

/** Whether the columns of a row have the expected values, both as the wire shows them: letter by letter, and null only null. */
export const isUnchanged = (columns: readonly WireColumn[], expected: Row, row: Row): boolean =>
  columns.every(({ name, kind }) => isSame(kind, expected[name], row[name]));

/** A number that came back as text, or a truth value as a number, is what it was. */
function isSame(kind: WireKind, expected: unknown, current: unknown): boolean {
  if (expected === null || expected === undefined || current === null || current === undefined)
    return (expected ?? null) === (current ?? null);
  const [left, right] = kind === 'binary' ? [expected, current] : [toWire(kind, expected), toWire(kind, current)];
  return String(left) === String(right);
}
