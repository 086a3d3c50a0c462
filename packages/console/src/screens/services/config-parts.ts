// The long configuration of a database in parts: what it takes to connect, what calls may do, what few people need. Pure.
import { type FieldDescriptor, secretMask } from '@sluice/contract';

export type Part = 'connection' | 'records' | 'session';

/** Where a field stands that is not needed to connect; all others come first. */
const laterParts = new Map<string, Part>(
  Object.entries({
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
  }),
);

/** The parts that have fields, each in the order of the schema; of other types than databases there is one. */
export function configParts(
  schema: readonly FieldDescriptor[],
  isDatabase: boolean,
): { part: Part; fields: FieldDescriptor[] }[] {
  const partOf = (field: FieldDescriptor) => (isDatabase && laterParts.get(field.name)) || 'connection';
  return (['connection', 'records', 'session'] as const)
    .map((part) => ({ part, fields: schema.filter((field) => partOf(field) === part) }))
    .filter(({ fields }) => fields.length > 0);
}

/** A type with one of these calls out, where a firewall may stand in the way (OPEN-153). */
export const remoteFields = ['host', 'hosts', 'dsn', 'base_url', 'base_uri', 'uri', 'wsdl'];

/** A change of these sends a stored secret elsewhere. They only serve an early hint: the server decides, and knows more of them. */
const addressFields = [...remoteFields, 'port', 'username', 'sslmode', 'unix_socket'];

/** The stored secrets a form keeps although they would go elsewhere: the server will ask for them. */
export function secretsToRetype(
  schema: readonly FieldDescriptor[],
  stored: Record<string, unknown> | null,
  config: Record<string, unknown>,
): FieldDescriptor[] {
  const trimmedText = (value: unknown) => String(value ?? '').trim();
  const isMoved = addressFields.some(
    (name) => stored?.[name] !== secretMask && trimmedText(stored?.[name]) !== trimmedText(config[name]),
  );
  return isMoved ? schema.filter(({ name }) => stored?.[name] === secretMask && config[name] === secretMask) : [];
}
