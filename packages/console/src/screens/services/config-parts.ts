// Long configurations in parts. Of a database: what it takes to connect, what calls may do, what few people need. Of a script: the
// script, how calls get their answer, what it is called after. Pure.
import { type FieldDescriptor, type ServiceGroup, secretMask } from '@sluice/contract';

export type Part = 'connection' | 'records' | 'session' | 'script' | 'calls' | 'events';

/** The parts of a group, the first of which has every field that no other names. */
type Layout = Partial<Record<Part, readonly string[]>>;

const layouts = new Map<string, Layout>(
  Object.entries({
    Database: {
      connection: [],
      records: ['allow_upsert', 'max_records', 'query_timeout', 'cache_enabled', 'cache_ttl'],
      session: [
        ...['charset', 'collation', 'timezone', 'application_name', 'modes', 'strict', 'options', 'attributes'],
        ...['statements', 'max_connections'],
      ],
    },
    Script: {
      script: [],
      calls: ['queued', 'config', 'implements_access_list', 'cache_enabled', 'cache_ttl'],
      events: ['service_event_map'],
    },
  } satisfies Partial<Record<ServiceGroup, Layout>>),
);
const onePart: Layout = { connection: [] };

/** The parts that have fields, each in the order of the schema; of groups without a layout there is one. */
export function configParts(
  schema: readonly FieldDescriptor[],
  group: string,
): { part: Part; fields: FieldDescriptor[] }[] {
  const parts = Object.entries(layouts.get(group) ?? onePart) as [Part, readonly string[]][];
  const named = new Set(parts.flatMap(([, names]) => names));
  return parts
    .map(([part, names], index) => ({
      part,
      fields: schema.filter(({ name }) => names.includes(name) || (index === 0 && !named.has(name))),
    }))
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
