// The columns of the platform's own tables, and their rows as Kysely sees them. The table of a system resource has the fields
// that contract/src/resources/ declares; what only the table has is in `tableExtras`, and the other tables are below. The
// numbered steps in migrations/ make the columns; tables.test.ts fails where the two differ.
// Flags are 0 and 1, dates ISO-8601 text in UTC, JSON is text, so that three databases store the same. Every row of a
// system resource has a hidden `version`, raised by each write to it or to a row nested in it.
import { type RecordOf, type ResourceDefinition, type ResourceField, resources } from '@sluice/contract';
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

// ---- the tables of system resources ----

const { admin: _, owned_lookup, ...others } = resources;
/** The declaration of each table: users and administrators share one, and so do lookup keys of every owner. */
export const declarations = { ...others, lookup: owned_lookup };

type DeclaredTable = keyof typeof declarations;

interface TableExtras<Field = string> {
  /** Columns that no field shows. */
  hidden?: Record<string, Column>;
  /** Columns that hold no null although their fields may: there is a default, or the platform writes them. */
  filled?: readonly Field[];
  /** Rows that are never changed have no `version`. */
  isFixed?: true;
}

const tableExtras = {
  user: {
    hidden: {
      /** What the address looks like (store/skeleton.ts); each write of an address writes it too. */
      email_skeleton: { type: 'text', isNullable: true } as Column<Generated<string | null>>,
      /** Tells administrators from users. */
      is_sys_admin: integer,
      /** The secret of an invitation. */
      confirm_code: optionalText,
      /** Tokens issued before this moment (seconds) are revoked: password change, deactivation. */
      tokens_valid_from: defaulted,
    },
  },
  // A key is made where none is sent.
  app: { filled: ['api_key', 'type'] },
  // A row is written within its role.
  role_adldap: { filled: ['role_id'] },
  role_service_access: { filled: ['role_id', 'verb_mask', 'requestor_mask', 'filter_op'] },
  // The one owner column that is set tells whose a key is, none means global; `owner` says it as one text (`lookupOwner`),
  // since no null makes two rows equal to a unique index. Private values are encrypted.
  lookup: { hidden: { owner: text } },
  // Secrets inside `config` are encrypted one by one.
  service: { filled: ['label', 'config'] },
  service_doc: { filled: ['service_id', 'format'] },
  // The refusal of what is missing has words of its own.
  email_template: { filled: ['name'] },
  cors: { filled: ['path', 'origin', 'max_age'] },
  limit: { filled: ['key_text'] },
  // Secrets in `before` and `after` are masked.
  audit: { isFixed: true },
  job: {
    hidden: {
      /** What it works on: JSON, encrypted. */
      payload: text,
      /** Of a job that exists once: its schedule, or what its maker calls it. */
      unique_key: optionalText,
      /** The process that works on it, and until when it may: a killed one gives it back by that. */
      worker: optionalText,
      leased_until: optionalText,
    },
  },
} as const satisfies { [T in DeclaredTable]?: TableExtras<keyof (typeof declarations)[T]['fields']> };

type Fields = Record<string, ResourceField>;
type Has<Field, Rule> = Field extends { rules: Rule } ? true : false;

/** The value of a field in its column: a flag is a number, JSON is text. */
type Stored<Value> = unknown extends Value ? string | null : Value extends boolean ? number : Value;
type StoredField<F extends Fields, Name extends keyof F, Filled> = true extends
  | Has<F[Name], { required: true }>
  | (Name extends Filled ? true : false)
  ? NonNullable<Stored<RecordOf<ResourceDefinition<F>>[Name]>>
  : Stored<RecordOf<ResourceDefinition<F>>[Name]>;

/** A row of a table with these fields. */
type DeclaredRow<F extends Fields, Extras> = {
  [Name in keyof F as Has<F[Name], { computed: true }> extends true ? never : Name]: Name extends 'id'
    ? Generated<number>
    : StoredField<F, Name, Extras extends { filled: readonly (infer Filled)[] } ? Filled : never>;
} & {
  [Name in keyof F & string as Has<F[Name], { unique: true }> extends true
    ? `${Name}_folded`
    : never]: GeneratedAlways<string>;
} & (Extras extends { isFixed: true } ? unknown : { version: Generated<number> }) &
  (Extras extends { hidden: infer Hidden } ? RowOf<Hidden> : unknown);

/** The columns of a declared table: one for each field that is not computed, and what the platform keeps beside them. */
function columnsOf({ fields }: ResourceDefinition, { hidden, filled, isFixed }: TableExtras): Record<string, Column> {
  const columns: Record<string, Column> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (!field.rules.computed) columns[name] = columnOf(field, filled?.includes(name));
    if (field.rules.unique) columns[`${name}_folded`] = foldedText;
  }
  return { ...columns, ...(isFixed ? {} : { version: defaulted }), ...hidden };
}

/** The column of a field; what may be null is a union in its schema. */
function columnOf({ kind, rules, ...schema }: ResourceField, isFilled = false): Column {
  const acceptsNull = kind === 'json' || 'anyOf' in schema;
  return {
    type: kind === 'text' || kind === 'date' || kind === 'json' ? 'text' : 'integer',
    isNullable: acceptsNull && !rules.required && !isFilled,
  };
}

const declaredColumns = Object.entries(declarations).map(([table, definition]) => [
  table,
  columnsOf(definition, (tableExtras as Record<string, TableExtras>)[table] ?? {}),
]);

// ---- the others ----

const ofService = {
  id: countedKey,
  service_id: integer,
  /** Real name. */
  table: text,
};

const ownTables = {
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

  /** Tokens that were ended before their time: by jti, kept until they could not be renewed any more (seconds). */
  revoked_token: { jti: text, expires_at: integer },

  /**
   * Sessions of people as they are listed (identity/session-list.ts). Whether a token is good is not asked here: one that is
   * unknown may be as good as any.
   */
  session: {
    id: countedKey,
    user_id: integer,
    /** Of the session's token; a renewal changes it. */
    jti: text,
    /** The `iat` of that token (seconds): the session ended where that is before the person's `tokens_valid_from`. */
    issued_at: integer,
    /** When the token can no longer be renewed (seconds). */
    ends_at: integer,
    created_date: text,
    last_use_date: text,
    ip_address: optionalText,
    user_agent: optionalText,
  },

  /**
   * Which person an account at a provider is (identity/external): by service and a hash of the account's id there. `given_role_id`
   * is the role they were given last where groups give roles.
   */
  external_identity: {
    id: countedKey,
    service_id: integer,
    subject: text,
    user_id: integer,
    given_role_id: optionalInteger,
  },

  /** Sign-ins that are under way at a provider, by a hash of their state; each is completed once. */
  pending_sign_in: {
    state: text,
    service_id: integer,
    /** A hash of what the browser that began it has as a cookie. */
    browser: text,
    /** A hash of the network address it began from. */
    network: text,
    /** Encrypted JSON: what proves to the provider who began it. */
    proof: text,
    expires_at: text,
  },

  /** Values that scripts keep for 15 minutes (`platform.store`): JSON text, by the script and its own name for them. */
  script_value: { key: text, value: text, expires_at: text },

  /** Values of services of the type `cache_local`: JSON text, by the service and the key. They go with their service. */
  cache_value: { key: text, service_id: integer, bytes: integer, expires_at: text, value: text },

  /** Calls that are made when messages arrive on a topic (messages/); they go with their service, their person and their app. */
  message_subscription: {
    id: countedKey,
    service_id: integer,
    /** Whose it is: a person, with the app whose key came along, or that app. */
    user_id: optionalInteger,
    app_id: optionalInteger,
    /** Of service, owner, topic and call: the same one is there once. */
    fingerprint: text,
    /** Encrypted JSON: topic, call, and as whom it is made. */
    content: text,
    created_date: text,
    calls: defaulted,
    failures: defaulted,
    /** Messages that no call was made for. */
    dropped: defaulted,
    last_error: optionalText,
  },

  /** Devices that get the notifications of an app by a service (push/); they go with both. */
  device_token: {
    id: countedKey,
    service_id: integer,
    app_id: integer,
    hash: text,
    device_token: text,
    created_date: text,
    last_modified_date: text,
    /** When the push service said that it is no device any more. */
    dead_date: optionalText,
  },

  /** Values that people keep for themselves, by name: JSON text (`user/custom`). */
  user_custom: {
    id: countedKey,
    user_id: integer,
    name: text,
    value: text,
    created_date: text,
    last_modified_date: text,
  },

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

type RowOf<Columns> = { -readonly [C in keyof Columns]: Columns[C] extends Column<infer T> ? T : never };

export type Tables = {
  [T in DeclaredTable]: DeclaredRow<
    (typeof declarations)[T]['fields'],
    T extends keyof typeof tableExtras ? (typeof tableExtras)[T] : unknown
  >;
} & {
  [T in keyof typeof ownTables]: RowOf<(typeof ownTables)[T]>;
};

/** The columns of every table, by name. */
export const tableColumns: Record<keyof Tables, Record<string, Column>> = {
  ...Object.fromEntries(declaredColumns),
  ...ownTables,
};
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
  ...Object.fromEntries(
    Object.entries(declarations).flatMap(([table, { identifier }]) =>
      identifier === 'id' ? [] : [[table, identifier]],
    ),
  ),
  db_schema_version: 'service_id',
  db_schema_pending: 'id',
  service_use: 'service_id',
  app_use: 'app_id',
  revoked_token: 'jti',
  instance: 'name',
  script_value: 'key',
  cache_value: 'key',
  pending_sign_in: 'state',
};
