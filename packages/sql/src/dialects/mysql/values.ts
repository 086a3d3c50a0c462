// Values between us and the driver: what is bound, and what its binary protocol leaves out of a value that the text of
// the database would show.
import type { TypedParameter } from 'mysql2';
import type { Column } from '../../schema/index.ts';
import { typeOfColumn } from './types.ts';

const maxSigned = 2n ** 63n - 1n;

/** A value as the driver sends it. Integers that do not fit a number keep their digits and their type. */
export function toParameter(value: unknown, typedParameter: typeof TypedParameter): unknown {
  if (typeof value === 'bigint')
    return value > maxSigned ? typedParameter.LONGLONG.unsigned(value) : typedParameter.LONGLONG(value);
  if (value instanceof Uint8Array && !Buffer.isBuffer(value)) {
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
  return value;
}

/** Turns a driver's value into what the database shows; never called with null. One of another type stays as it is. */
export type Repair = (value: unknown) => unknown;

/** The repair that values of a column need; undefined for most columns. */
export function repairFor(column: Column): Repair | undefined {
  const type = typeOfColumn(column);
  switch (type.name) {
    case 'float':
      return (value) => (typeof value === 'number' ? shortestSingle(value) : value);
    case 'year':
      return (value) => (typeof value === 'number' ? String(value).padStart(4, '0') : value);
    case 'bit':
      return (value) => (value instanceof Uint8Array ? bitsToNumber(value) : value);
    case 'time':
    case 'datetime':
    case 'timestamp': {
      const digits = type.length ?? 0;
      return digits > 0 ? (value) => (typeof value === 'string' ? withFraction(value, digits) : value) : undefined;
    }
    default:
      return undefined;
  }
}

/** The shortest decimal number that is the same single-precision number: `0.1`, not `0.10000000149011612`. */
export function shortestSingle(value: number): number {
  if (Math.fround(value) !== value) return value;
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

/** Bits come as bytes, the highest first. */
function bitsToNumber(value: Uint8Array): number | bigint {
  let number = 0n;
  for (const byte of value) number = number * 256n + BigInt(byte);
  return number <= Number.MAX_SAFE_INTEGER ? Number(number) : number;
}

/** The driver leaves out a fraction that is zero, and the zeros at the end of that of a time. */
function withFraction(value: string, digits: number): string {
  const point = value.indexOf('.');
  if (point < 0) return `${value}.${'0'.repeat(digits)}`;
  return value.slice(0, point + 1 + digits).padEnd(point + 1 + digits, '0');
}
