// The columns of the platform's own tables, and their rows as Kysely sees them. A table of a system resource has the fields
// that contract/src/resources/ declares; what stands here is what only the table has. The numbered steps in migrations/
// make the columns; tables.test.ts says where the two differ.
// Flags are 0 and 1, dates ISO-8601 text in UTC, JSON is text, so that three databases store the same. Every row of a
// system resource has a hidden `version`, raised by each write to it or to a row nested in it.
import {
  app,
  audit,
  custom,
  emailTemplate,
  ownedLookup,
  type RecordOf,
  type ResourceDefinition,
  type ResourceField,
  role,
  roleServiceAccess,
  service,
  serviceDoc,
  user,
  userToAppToRole,
} from '@sluice/contract';
import type { Generated, GeneratedAlways } from 'kysely';

/** A column of a table; `T` is its type for Kysely. */
export interface Column<T = unknown> {
  type: 'text' | 'integer';
  isNullable: boolean;
  /** The database works it out. */
  isGenerated?: boolean;
  /** Never there: holds the type. */
  readonly rowType?: T;
}

const text: Column<string> = { type: 'text', isNullable: false };
const optionalText: Column<string | null> = { type: 'text', isNullable: true };
const integer: Column<number> = { type: 'integer', isNullable: false };
const optionalInteger: Column<number | null> = { type: 'integer', isNullable: true };
const countedKey: Column<Generated<number>> = { type: 'integer', isNullable: false };
/** A whole number that need not be given. */
const defaulted: Column<Generated<number>> = { type: 'integer', isNullable: false };
/** Another column with A–Z in lower case. */
const foldedText: Column<GeneratedAlways<string>> = { type: 'text', isNullable: true, isGenerated: true };

/** The type of a field's column: a flag is a number, JSON is text. */
type Stored<Value> = unknown extends Value ? string | null : Value extends boolean ? number : Value;

/** The columns of a declared resource: one for each of its fields but those that are computed. */
function columnsOf<Fields extends Record<string, ResourceField>, Computed extends keyof Fields = never>(
  { fields }: ResourceDefinition<Fields>,
  ...computed: Computed[]
): { [F in Exclude<keyof Fields, Computed>]: Column<Stored<RecordOf<ResourceDefinition<Fields>>[F]>> } {
  const stored = Object.entries(fields).filter(([name]) => !computed.includes(name as Computed));
  return Object.fromEntries(stored.map(([name, field]) => [name, columnOf(field)])) as never;
}

/** The column of a field; what may be null is a union in its schema. */
function columnOf(field: ResourceField): Column {
  const isText = field.kind === 'text' || field.kind === 'date' || field.kind === 'json';
  return { type: isText ? 'text' : 'integer', isNullable: field.kind === 'json' || 'anyOf' in field };
}

const versioned = { id: countedKey, version: defaulted };

const ofService = {
  id: countedKey,
  service_id: integer,
  /** Real name. */
  table: text,
};

export const tableColumns = {
  /** People: users and administrators (`is_sys_admin`). */
  user: {
    ...columnsOf(user, 'confirmed', 'expired', 'resembles'),
    ...versioned,
    username_folded: foldedText,
    email_folded: foldedText,
    /** What the address looks like (store/skeleton.ts); every write of an address writes it too. */
    email_skeleton: { type: 'text', isNullable: true } as Column<Generated<string | null>>,
    is_sys_admin: integer,
    confirm_code: optionalText,
    /** Tokens issued before this moment (seconds) are revoked: password change, deactivation. */
    tokens_valid_from: defaulted,
  },

  app: {
    ...columnsOf(app, 'launch_url'),
    ...versioned,
    name_folded: foldedText,
    api_key: text,
    type: integer,
  },

  role: { ...columnsOf(role), ...versioned, name_folded: foldedText },

  role_service_access: {
    ...columnsOf(roleServiceAccess),
    ...versioned,
    role_id: integer,
    verb_mask: integer,
    requestor_mask: integer,
    filter_op: text,
  },

  user_to_app_to_role: {
    ...columnsOf(userToAppToRole),
    ...versioned,
    user_id: integer,
    app_id: integer,
    role_id: integer,
  },

  /** Lookup keys; the one owner column that is set tells whose, none means global. Private values are encrypted. */
  lookup: {
    ...columnsOf(ownedLookup),
    ...versioned,
    /** Whose it is as one text (`lookupOwner`), since no null makes two rows equal to a unique index. */
    owner: text,
  },

  /** Secrets inside `config` are encrypted one by one. */
  service: { ...columnsOf(service), ...versioned, name_folded: foldedText, label: text, config: text },

  service_doc: { ...columnsOf(serviceDoc), version: defaulted, service_id: integer, format: integer },

  /** What a service says of a table beyond its database (database/extras). */
  db_table_extras: {
    ...ofService,
    alias: optionalText,
    label: optionalText,
    plural: optionalText,
    description: optionalText,
    name_field: optionalText,
  },

  /** Of a field, by its real name; a virtual field is nowhere else. `picklist`, `validation` and `db_function` are JSON text. */
  db_field_extras: {
    ...ofService,
    field: text,
    alias: optionalText,
    label: optionalText,
    description: optionalText,
    picklist: optionalText,
    validation: optionalText,
    client_info: optionalText,
    db_function: optionalText,
    is_virtual: integer,
    is_aggregate: integer,
    /** A simple type the database cannot express, and the type of a virtual field. */
    extra_type: optionalText,
  },

  /** Of a relation, by its automatic name. */
  db_relationship_extras: {
    ...ofService,
    relationship: text,
    alias: optionalText,
    label: optionalText,
    description: optionalText,
    always_fetch: integer,
    flatten: integer,
    flatten_drop_prefix: integer,
  },

  /** A relation no foreign key stands for. */
  db_virtual_relationship: {
    ...ofService,
    type: text,
    field: text,
    ref_service_id: integer,
    ref_table: text,
    ref_field: text,
    ref_on_update: optionalText,
    ref_on_delete: optionalText,
    junction_service_id: optionalInteger,
    junction_table: optionalText,
    junction_field: optionalText,
    junction_ref_field: optionalText,
  },

  /** How often the schema of a service's database was changed by this platform. */
  db_schema_version: { service_id: integer, version: integer },

  /** Changes of such a schema that are under way, with what is to be saved of them (database/extras/pending.ts). */
  db_schema_pending: {
    id: text,
    service_id: integer,
    /** The process that makes it. */
    owner: text,
    /** Milliseconds since 1970. */
    created: integer,
    /** 1: another process saved it; the owner may not know. */
    is_saved: integer,
    /** JSON text of a `PendingChange`. */
    content: text,
  },

  /** Mails with placeholders. */
  email_template: { ...columnsOf(emailTemplate), ...versioned, name: text, name_folded: foldedText },

  /** Values clients keep, by name. */
  custom: { ...columnsOf(custom), version: defaulted },

  /** Who changed what, and who signed in (audit/). Secrets in `before` and `after` are masked. */
  audit: { ...columnsOf(audit), id: countedKey, created_date: text },

  /** Tokens that were ended before their time: by jti, kept until they could not be renewed any more (seconds). */
  revoked_token: { jti: text, expires_at: integer },

  /** When a service was last called, and its calls by hour since 1970 (use/). They go with their service. */
  service_use: { service_id: integer, last_call: text },
  service_use_hour: { service_id: integer, hour: integer, calls: integer, failures: integer },

  /** How often the key of an app came with a call, and when it last did. It goes with its app. */
  app_use: { app_id: integer, calls: integer, last_call: text },

  /** Facts of the instance by name: schema version, key check value, set-up code. */
  instance: { name: text, value: text },

  /** Changes of rows told to other processes, where nothing else carries them (store/bus/table.ts). */
  change_notice: {
    id: countedKey,
    /** The process that wrote it. */
    source: text,
    /** JSON text of a `Change`. */
    notice: text,
  },
};

type RowOf<Columns> = { [C in keyof Columns]: Columns[C] extends Column<infer T> ? T : never };

export type Tables = { [T in keyof typeof tableColumns]: RowOf<(typeof tableColumns)[T]> };
export type UserTable = Tables['user'];
export type AppTable = Tables['app'];

/**
 * A text as the columns `…_folded` have it, which the database fills in: A–Z in lower case. Other letters keep their case
 * on every engine, so that all find and tell apart the same.
 */
export const folded = (text: string): string => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** The column `owner` of a lookup key: `role 5`; nothing of one of the whole instance. */
export const lookupOwner = (row: Record<string, unknown>): string =>
  lookupOwners.map((kind) => (row[`${kind}_id`] ? `${kind} ${row[`${kind}_id`]}` : '')).join('');

export const lookupOwners = ['app', 'role', 'user'] as const;

/** The key of a table that does not have the counted key `id`. */
export const otherKeys: Partial<Record<keyof Tables, string>> = {
  service_doc: 'service_id',
  db_schema_version: 'service_id',
  db_schema_pending: 'id',
  service_use: 'service_id',
  app_use: 'app_id',
  custom: 'name',
  revoked_token: 'jti',
  instance: 'name',
};
