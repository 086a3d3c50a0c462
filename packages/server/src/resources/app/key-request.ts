// The request of `POST system/app/_key`: read and checked.
import { type ApiKeyRequest, fail } from '@sluice/contract';
import { isRecord } from '../../call/payload.ts';

/** The longest names there are; `_table/{table}/*` has to fit the component of a row. */
const maxLengths = { name: 64, access: 5, service: 40, table: 246 } as const;

/** Reads the body; a 400 names the field that cannot be used. */
export function readKeyRequest(body: unknown): ApiKeyRequest {
  const input = isRecord(body) ? body : {};
  const name = readText(input, 'name') ?? '';
  if (name === '') throw invalidKeyRequest('name', 'The name field is required.');
  const access = readText(input, 'access');
  if (access !== 'read' && access !== 'write') throw invalidKeyRequest('access', 'The access must be read or write.');
  const service = readText(input, 'service');
  const table = readText(input, 'table');
  if (table !== undefined && service === undefined)
    throw invalidKeyRequest('service', 'The service field is required with a table.');
  return { name, access, ...(service === undefined ? {} : { service }), ...(table === undefined ? {} : { table }) };
}

/** A text of the body; undefined where there is none. */
function readText(input: Record<string, unknown>, field: keyof typeof maxLengths): string | undefined {
  const value = input[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw invalidKeyRequest(field, `The ${field} must be a string.`);
  const max = maxLengths[field];
  if ([...value.slice(0, max * 2 + 1)].length > max)
    throw invalidKeyRequest(field, `The ${field} may not be greater than ${max} characters.`);
  return value;
}

/** A 400 that names the field at fault, as the rules of records do. */
export const invalidKeyRequest = (field: keyof ApiKeyRequest, message: string) =>
  fail('record.invalid', { messages: [message] }, { context: { [field]: [message] } });
