// The answer of a call in the shape the caller asks for: one value, rows, rows beside what came back by the parameters.
import { truthy } from '@sluice/contract';
import { type RoutineResult, type Row, toWire } from '@sluice/sql';
import type { Query } from '../../call/call.ts';
import { isRecord } from '../../call/payload.ts';

/** What a body or a query asks for. */
interface Asked {
  returns?: unknown;
  schema?: unknown;
  wrapper?: unknown;
}

/** The body of an answer, by `returns`, `schema` and `wrapper` (contract/database-schema.md §10). */
export function shaped(result: RoutineResult, { returns, schema, wrapper }: Asked, query: Query): unknown {
  const asked = text(returns) ?? query.get('returns') ?? '';
  const type = asked.toLowerCase() === 'table' ? '' : asked;
  if ('value' in result) return type === '' ? result.value : converted(result.value, type);
  const { out } = result;
  const sets = isRecord(schema) ? result.sets.map((rows) => rows.map((row) => withTypes(row, schema))) : result.sets;
  const hasRows = sets.some((rows) => rows.length > 0);
  const hasOut = Object.keys(out).length > 0;
  if (hasOut && !hasRows) return out;
  const rows = sets.length > 1 ? sets : (sets[0] ?? []);
  const shown = type === '' ? rows : converted(Object.values(sets[0]?.[0] ?? {})[0] ?? null, type);
  const name = text(wrapper) ?? query.get('wrapper') ?? '';
  if (hasOut) return { [name || 'resource']: shown, ...out };
  return name === '' ? shown : { [name]: shown };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const withTypes = (row: Row, types: Record<string, unknown>): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const type = Object.hasOwn(types, name) ? text(types[name]) : undefined;
      return [name, type === undefined ? value : converted(value, type)];
    }),
  );

/** A value as one of a simple type; what can not be one stays as it is. */
function converted(value: unknown, type: string): unknown {
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
      return typeof value === 'string' && !/^\s*[+-]?\d/.test(value) ? value : whole(value);
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

/** The digits before the point. */
const whole = (value: unknown): unknown =>
  typeof value === 'string' ? toWire('number', value.trim().replace(/\..*$/, '')) : Math.trunc(Number(value));
