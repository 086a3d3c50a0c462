// The answer of a call in the shape that the caller chose: one value, rows, or rows beside the values of parameters.
import { truthy } from '@sluice/contract';
import { type RoutineResult, type Row, toWire } from '@sluice/sql';
import type { Query } from '../../call/call.ts';
import { isRecord } from '../../call/payload.ts';

/** The options in a body or a query. */
interface ResultOptions {
  returns?: unknown;
  schema?: unknown;
  wrapper?: unknown;
}

/** The body of an answer, by `returns`, `schema` and `wrapper` (contract/database-schema.md §10). */
export function shapeResult(result: RoutineResult, { returns, schema, wrapper }: ResultOptions, query: Query): unknown {
  const requestedType = nonEmptyText(returns) ?? query.get('returns') ?? '';
  const type = requestedType.toLowerCase() === 'table' ? '' : requestedType;
  if ('value' in result) return type === '' ? result.value : convertValue(result.value, type);
  const { out } = result;
  const sets = isRecord(schema) ? result.sets.map((rows) => rows.map((row) => convertRow(row, schema))) : result.sets;
  const hasRows = sets.some((rows) => rows.length > 0);
  const hasOut = Object.keys(out).length > 0;
  if (hasOut && !hasRows) return out;
  const rows = sets.length > 1 ? sets : (sets[0] ?? []);
  const shown = type === '' ? rows : convertValue(Object.values(sets[0]?.[0] ?? {})[0] ?? null, type);
  const name = nonEmptyText(wrapper) ?? query.get('wrapper') ?? '';
  if (hasOut) return { [name || 'resource']: shown, ...out };
  return name === '' ? shown : { [name]: shown };
}

const nonEmptyText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const convertRow = (row: Row, types: Record<string, unknown>): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const type = Object.hasOwn(types, name) ? nonEmptyText(types[name]) : undefined;
      return [name, type === undefined ? value : convertValue(value, type)];
    }),
  );

/** A value converted to a simple type; one that cannot be converted stays as it is. */
function convertValue(value: unknown, type: string): unknown {
  if (value === null) return null;
  switch (type.toLowerCase()) {
    case 'boolean':
    case 'bool':
      return truthy(value);
    case 'integer':
    case 'int':
    case 'bigint':
    case 'id':
    case 'reference':
      return typeof value === 'string' && !/^\s*[+-]?\d/.test(value) ? value : integerPart(value);
    case 'number':
    case 'double':
    case 'float':
    case 'decimal':
    case 'money':
      return typeof value === 'boolean' ? Number(value) : toWire('number', value);
    case 'string':
    case 'text':
      return typeof value === 'string' ? value : JSON.stringify(value);
    default:
      return value;
  }
}

/** The digits before the decimal point. */
const integerPart = (value: unknown): unknown =>
  typeof value === 'string' ? toWire('number', value.trim().replace(/\..*$/, '')) : Math.trunc(Number(value));
