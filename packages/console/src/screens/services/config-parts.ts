// The long configuration of a database in parts: what it takes to connect, what calls may do, what few people need. Pure.
import type { FieldDescriptor } from '@sluice/contract';

export type Part = 'connection' | 'records' | 'session';

/** Where a field stands that is not needed to connect; all others come first. */
const later: Record<string, Part> = {
  allow_upsert: 'records',
  max_records: 'records',
  query_timeout: 'records',
  cache_enabled: 'records',
  cache_ttl: 'records',
  charset: 'session',
  collation: 'session',
  timezone: 'session',
  application_name: 'session',
  modes: 'session',
  strict: 'session',
  options: 'session',
  attributes: 'session',
  statements: 'session',
  max_connections: 'session',
};

/** The parts that have fields, each in the order of the schema; of other types than databases there is one. */
export function configParts(
  schema: readonly FieldDescriptor[],
  isDatabase: boolean,
): { part: Part; fields: FieldDescriptor[] }[] {
  const partOf = (field: FieldDescriptor) => (isDatabase && later[field.name]) || 'connection';
  return (['connection', 'records', 'session'] as const)
    .map((part) => ({ part, fields: schema.filter((field) => partOf(field) === part) }))
    .filter(({ fields }) => fields.length > 0);
}
