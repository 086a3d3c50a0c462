// The fields that configurations of database services share (contract/service-types.md §2 "Shared field sets").
import { fail, configField as field } from '@sluice/contract';

/** Fields without which a database cannot be reached; their absence has the message of the contract (SQL validation). */
export const needed = { required: true, allow_null: true, checkedByType: true } as const;

/** [SQL]: how a database server is reached. */
export const serverFields = (port: number) => ({
  host: field.string({
    label: 'Host',
    ...needed,
    destination: true,
    description: 'Name or address of the database server.',
  }),
  port: field.integer({
    label: 'Port Number',
    description: `Blank: ${port}, the usual one.`,
    usual: port,
    destination: true,
  }),
  database: field.string({ label: 'Database', ...needed, description: 'Name of the database.' }),
  username: field.string({
    label: 'Username',
    destination: true,
    description: 'The database user the service connects as.',
  }),
  password: field.secret({ label: 'Password', description: 'Password of that user.' }),
  schema: field.string({
    label: 'Schema',
    description:
      'Blank or "all": the tables of all schemas, those outside of the default one as schema.table. "default": those of the default schema. Else the name of a schema.',
  }),
});

/** [CACHE], which types of scripts have, too. */
export const cacheFields = {
  cache_enabled: field.boolean({
    label: 'Data Retrieval Caching Enabled',
    description: 'Answers of GET calls are kept and given again; writes do not renew them.',
    default: false,
  }),
  cache_ttl: field.integer({
    label: 'Cache Time To Live (minutes)',
    description: 'How long a kept answer is given again.',
    default: 0,
  }),
};

/** [DBX]; the time limit is ours. */
export const recordLimitFields = {
  allow_upsert: field.boolean({
    label: 'Allow Upsert',
    description: 'Updating a record that does not exist creates it.',
    default: false,
  }),
  max_records: field.integer({
    label: 'Maximum Records',
    atLeast: 1,
    description: 'Most records one answer holds, and what a list answers without a limit.',
    default: 1000,
  }),
  query_timeout: field.integer({
    label: 'Query Timeout (seconds)',
    atLeast: 1,
    description:
      'How long one query may take before it is stopped. Blank: as long as this instance allows, and never longer.',
  }),
  ...cacheFields,
};

/** [SQLX] without [DBX]; each type says which options it knows, which of them are for TLS, and which statements it takes. */
export const driverFields = (
  descriptions: { options: string; attributes: string; statements: string },
  tlsOptions: readonly string[] = [],
) => ({
  options: field.map({ label: 'Driver Options', description: descriptions.options, destination: tlsOptions }),
  attributes: field.map({ label: 'Driver Attributes', description: descriptions.attributes, destination: [] }),
  statements: field.strings({
    label: 'Additional SQL Statements',
    description: descriptions.statements,
    literal: true,
  }),
});

/** Ours, for every type that keeps connections. */
export const poolFields = {
  max_connections: field.integer({
    label: 'Maximum Connections',
    atLeast: 1,
    description: 'Most connections this server opens to the database at once for the service. Calls beyond them wait.',
    default: 10,
  }),
};

/** What a configuration of a database server needs at the least (contract/service-types.md §2, SQL validation). */
export function checkServer(config: { host?: string | null; database?: string | null }): void {
  const empty = (['host', 'database'] as const).filter((field) => !config[field]?.trim());
  if (empty.length === 0) return;
  const context = Object.fromEntries(empty.map((name) => [name, [`The ${name} field is required.`]]));
  throw fail('service.databaseServer', undefined, { context });
}

/** Where a database server listens, with the usual port where none is given. */
export function serverAddress(
  { host, port }: { host?: string | null; port?: number | null },
  usualPort: number,
): string | undefined {
  const name = host?.trim();
  if (!name) return undefined;
  return name.startsWith('/') ? name : `${name.includes(':') ? `[${name}]` : name}:${port ?? usualPort}`;
}
