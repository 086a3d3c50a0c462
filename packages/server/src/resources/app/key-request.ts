// The request of `POST system/app/_key`: read and checked.
import {
  type ApiKeyLimit,
  type ApiKeyRequest,
  fail,
  isLimitPeriod,
  limitPeriods,
  maxKeyTables,
} from '@sluice/contract';
import { isRecord } from '../../call/payload.ts';
import type { ObjectShape } from '../../service/operation.ts';

/** The longest names there are; `_table/{table}/*` has to fit the component of a row. */
const maxLengths = { name: 64, access: 5, service: 40, table: 246 } as const;

/** The largest number that every store has room for. */
const maxRate = 2 ** 31 - 1;

/** The body, for API docs. */
export const keyRequestFields: ObjectShape = {
  name: { type: 'string', required: true, description: 'Of the role and of the app.' },
  access: { type: 'string', required: true, enum: ['read', 'write'] },
  service: { type: 'string', description: 'Absent: each service that holds data now.' },
  table: { type: 'string', description: 'A table of the service.' },
  tables: {
    type: 'array',
    items: { type: 'string' },
    description: `Several tables of the service, in place of \`table\`: ${maxKeyTables} at most.`,
  },
  limit: {
    type: 'object',
    description: 'A limit on the calls of the new role. Needs POST on `limit`.',
    fields: {
      rate: { type: 'integer', required: true },
      period: { type: 'string', required: true, enum: Object.keys(limitPeriods) },
    },
  },
};

/** The answer, for API docs. */
export const keyAnswerFields: ObjectShape = {
  app_id: { type: 'integer', required: true },
  role_id: { type: 'integer', required: true },
  name: { type: 'string', required: true },
  api_key: { type: 'string', required: true },
  limit_id: { type: 'integer', description: 'Where a limit was asked for.' },
};

/** Reads the body; a 400 names the field that cannot be used. */
export function readKeyRequest(body: unknown): ApiKeyRequest {
  const input = isRecord(body) ? body : {};
  const name = readText(input.name, 'name') ?? '';
  if (name === '') throw invalidKeyRequest('name', 'The name field is required.');
  const access = readText(input.access, 'access');
  if (access !== 'read' && access !== 'write') throw invalidKeyRequest('access', 'The access must be read or write.');
  const service = readText(input.service, 'service');
  const table = readText(input.table, 'table');
  const tables = readTables(input.tables);
  if (table !== undefined && tables !== undefined)
    throw invalidKeyRequest('tables', 'Send a table or tables, not both.');
  if (service === undefined && table !== undefined)
    throw invalidKeyRequest('service', 'The service field is required with a table.');
  if (service === undefined && tables !== undefined)
    throw invalidKeyRequest('service', 'The service field is required with tables.');
  const limit = readLimit(input.limit);
  return {
    ...{ name, access },
    ...(service === undefined ? {} : { service }),
    ...(table === undefined ? {} : { table }),
    ...(tables === undefined ? {} : { tables }),
    ...(limit === undefined ? {} : { limit }),
  };
}

/** A text of the body; undefined where there is none. */
function readText(value: unknown, field: keyof typeof maxLengths): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw invalidKeyRequest(field, `The ${field} must be a string.`);
  if (isTooLong(value, field))
    throw invalidKeyRequest(field, `The ${field} may not be greater than ${maxLengths[field]} characters.`);
  return value;
}

/** Characters are counted as people count them, and only as far as it matters. */
const isTooLong = (value: string, field: keyof typeof maxLengths) =>
  [...value.slice(0, maxLengths[field] * 2 + 1)].length > maxLengths[field];

/** The names of tables. An empty list is refused: without tables the key would open the whole service. */
function readTables(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value) || value.length === 0)
    throw invalidKeyRequest('tables', 'The tables must be a list of names.');
  if (value.length > maxKeyTables)
    throw invalidKeyRequest('tables', `The tables may not be more than ${maxKeyTables}.`);
  return value.map((item: unknown) => {
    if (typeof item !== 'string' || item === '')
      throw invalidKeyRequest('tables', 'The tables must be a list of names.');
    if (isTooLong(item, 'table'))
      throw invalidKeyRequest('tables', `A table may not be greater than ${maxLengths.table} characters.`);
    return item;
  });
}

function readLimit(value: unknown): ApiKeyLimit | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) throw invalidKeyRequest('limit', 'The limit must have a rate and a period.');
  const { rate, period } = value;
  if (typeof rate !== 'number' || !Number.isInteger(rate) || rate < 1 || rate > maxRate)
    throw invalidKeyRequest('limit.rate', `The rate must be a whole number from 1 to ${maxRate}.`);
  if (!isLimitPeriod(period)) throw invalidKeyRequest('limit.period', 'The selected period is invalid.');
  return { rate, period };
}

/** A 400 that names the field at fault, as the rules of records do. */
export const invalidKeyRequest = (field: keyof ApiKeyRequest | `limit.${keyof ApiKeyLimit}`, message: string) =>
  fail('record.invalid', { messages: [message] }, { context: { [field]: [message] } });
