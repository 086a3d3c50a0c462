// `system/cors`: which other origins may call this instance (contract/system-resources.md §10). http/cors/ keeps to it.
import { cors, fail } from '@sluice/contract';
import { sql } from 'kysely';
import { isEmpty } from '../../resource/fields.ts';
import type { RecordChange, ServedResource } from '../../resource/resource.ts';
import { compilePattern, PatternError } from './pattern.ts';

/** Every rule may be tried for a call. */
const maxRules = 100;
/** The methods of rules in the order of their bits. */
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'];
/** What can stand in a header. */
const headerText = /^[\x20-\x7e]*$/;

export const corsResource: ServedResource = {
  definition: cors,
  table: 'cors',
  isAddressed: true,
  async beforeSave(change) {
    const { kind, values, reportInvalid } = change;
    // The contract has messages of its own for them.
    for (const field of ['path', 'origin'])
      if (isEmpty(values[field]) && (kind === 'create' || field in values))
        reportInvalid(field, `The ${field} is required.`);
    if (typeof values.path === 'string' && !isPattern(values.path))
      reportInvalid('path', 'The path format is invalid.');
    for (const field of ['header', 'exposed_header'])
      if (typeof values[field] === 'string' && !headerText.test(values[field]))
        reportInvalid(field, `The ${field.replace('_', ' ')} format is invalid.`);
    if (typeof values.max_age === 'number' && (values.max_age < 0 || values.max_age > 2 ** 31 - 1))
      reportInvalid('max_age', 'The selected max age is invalid.');
    readMethods(change);
    if (kind === 'create') await limitRules(change);
  },
  serialize(records) {
    for (const { record } of records) if ('method' in record) record.method = methodsOf(record.method);
  },
};

/** The methods of a stored mask. */
export const methodsOf = (mask: unknown): string[] => methods.filter((_, bit) => (Number(mask) & (1 << bit)) !== 0);

function isPattern(path: string): boolean {
  try {
    compilePattern(path);
    return true;
  } catch (error) {
    if (error instanceof PatternError) return false;
    throw error;
  }
}

/** Takes a list of names or a mask; stores a mask. */
function readMethods({ values, reportInvalid }: RecordChange): void {
  if (!('method' in values)) return;
  const mask = maskOf(values.method);
  if (mask === undefined) reportInvalid('method', 'The selected method is invalid.');
  else values.method = mask;
}

function maskOf(input: unknown): number | undefined {
  if (isEmpty(input)) return 0;
  if (!Array.isArray(input)) {
    const mask = Number(input);
    return Number.isInteger(mask) && mask >= 0 && mask < 1 << methods.length ? mask : undefined;
  }
  const bits = input.map((name) => methods.indexOf(String(name).toUpperCase()));
  return bits.includes(-1) ? undefined : bits.reduce((mask, bit) => mask | (1 << bit), 0);
}

async function limitRules({ context: { db } }: RecordChange): Promise<void> {
  const { count } = await db.selectFrom('cors').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  if (Number(count) >= maxRules) throw fail('cors.tooManyRules', { limit: maxRules });
}
