// The platform's own tables as Kysely sees them. Their columns are made by the numbered steps in migrations/.
// Booleans are 0 and 1, dates ISO-8601 text in UTC, so that three databases store the same. Every row of a system
// resource has a hidden `version`, raised by each write to it or to a row nested in it.
import type { Generated, GeneratedAlways } from 'kysely';

interface Stamped {
  created_date: string | null;
  last_modified_date: string | null;
  created_by_id: number | null;
  last_modified_by_id: number | null;
}

interface Versioned extends Stamped {
  id: Generated<number>;
  version: Generated<number>;
}

/** People: users and administrators (`is_sys_admin`). */
export interface UserTable extends Versioned {
  name: string;
  username: string;
  username_folded: GeneratedAlways<string>;
  ldap_username: string | null;
  first_name: string | null;
  last_name: string | null;
  email: string;
  email_folded: GeneratedAlways<string>;
  /** What the address looks like (store/skeleton.ts); whoever writes an address writes it too. */
  email_skeleton: Generated<string | null>;
  password: string | null;
  is_active: number;
  is_sys_admin: number;
  phone: string | null;
  security_question: string | null;
  security_answer: string | null;
  confirm_code: string | null;
  default_app_id: number | null;
  adldap: string | null;
  oauth_provider: string | null;
  saml: string | null;
  last_login_date: string | null;
  /** Tokens issued before this moment (seconds) are revoked: password change, deactivation. */
  tokens_valid_from: Generated<number>;
}

export interface AppTable extends Versioned {
  name: string;
  name_folded: GeneratedAlways<string>;
  api_key: string;
  description: string | null;
  is_active: number;
  type: number;
  path: string | null;
  url: string | null;
  storage_service_id: number | null;
  storage_container: string | null;
  requires_fullscreen: number;
  allow_fullscreen_toggle: number;
  toggle_location: string | null;
  role_id: number | null;
}

export interface RoleTable extends Versioned {
  name: string;
  name_folded: GeneratedAlways<string>;
  description: string | null;
  is_active: number;
}

export interface RoleServiceAccessTable extends Versioned {
  role_id: number;
  service_id: number | null;
  component: string | null;
  verb_mask: number;
  requestor_mask: number;
  /** JSON text or null. */
  filters: string | null;
  filter_op: string;
}

export interface UserToAppToRoleTable {
  id: Generated<number>;
  version: Generated<number>;
  user_id: number;
  app_id: number;
  role_id: number;
}

/** Lookup keys; the one owner column that is set tells whose, none means global. Private values are encrypted. */
export interface LookupTable extends Versioned {
  /** Whose it is as one text (`lookupOwner`), since no null makes two rows equal to a unique index. */
  owner: string;
  app_id: number | null;
  role_id: number | null;
  user_id: number | null;
  name: string;
  value: string | null;
  private: number;
  description: string | null;
}

export interface ServiceTable extends Versioned {
  name: string;
  name_folded: GeneratedAlways<string>;
  label: string;
  description: string | null;
  is_active: number;
  type: string;
  mutable: number;
  deletable: number;
  /** JSON text; secrets inside are encrypted one by one. */
  config: string;
}

export interface ServiceDocTable {
  service_id: number;
  version: Generated<number>;
  format: number;
  content: string | null;
  created_date: string | null;
  last_modified_date: string | null;
}

interface OfService {
  id: Generated<number>;
  service_id: number;
  /** Real name. */
  table: string;
}

/** What a service says of a table beyond its database (database/extras). */
export interface DbTableExtrasTable extends OfService {
  alias: string | null;
  label: string | null;
  plural: string | null;
  description: string | null;
  name_field: string | null;
}

/** Of a field, by its real name; a virtual field is nowhere else. `picklist`, `validation` and `db_function` are JSON text. */
export interface DbFieldExtrasTable extends OfService {
  field: string;
  alias: string | null;
  label: string | null;
  description: string | null;
  picklist: string | null;
  validation: string | null;
  client_info: string | null;
  db_function: string | null;
  is_virtual: number;
  is_aggregate: number;
  /** A simple type the database can not express, and the type of a virtual field. */
  extra_type: string | null;
}

/** Of a relation, by its automatic name. */
export interface DbRelationshipExtrasTable extends OfService {
  relationship: string;
  alias: string | null;
  label: string | null;
  description: string | null;
  always_fetch: number;
  flatten: number;
  flatten_drop_prefix: number;
}

/** A relation no foreign key stands for. */
export interface DbVirtualRelationshipTable extends OfService {
  type: string;
  field: string;
  ref_service_id: number;
  ref_table: string;
  ref_field: string;
  ref_on_update: string | null;
  ref_on_delete: string | null;
  junction_service_id: number | null;
  junction_table: string | null;
  junction_field: string | null;
  junction_ref_field: string | null;
}

/** Mails with placeholders. `to`, `cc`, `bcc` and `attachment` are JSON text or null. */
export interface EmailTemplateTable extends Versioned {
  name: string;
  name_folded: GeneratedAlways<string>;
  description: string | null;
  to: string | null;
  cc: string | null;
  bcc: string | null;
  subject: string | null;
  attachment: string | null;
  body_text: string | null;
  body_html: string | null;
  from_name: string | null;
  from_email: string | null;
  reply_to_name: string | null;
  reply_to_email: string | null;
  defaults: string | null;
}

/** Values clients keep, by name; the value is JSON text. */
export interface CustomTable extends Stamped {
  name: string;
  version: Generated<number>;
  value: string | null;
}

/** Who changed what, and who signed in (audit/). `before` and `after` are JSON text, secrets masked. */
export interface AuditTable {
  id: Generated<number>;
  created_date: string;
  action: string;
  resource: string;
  record_id: string | null;
  record_name: string | null;
  user_id: number | null;
  user_email: string | null;
  app_id: number | null;
  ip_address: string | null;
  user_agent: string | null;
  outcome: string;
  request_id: string | null;
  before: string | null;
  after: string | null;
}

/** Tokens that were ended before their time: by jti, kept until they could not be renewed any more (seconds). */
export interface RevokedTokenTable {
  jti: string;
  expires_at: number;
}

/** Facts of the instance by name: schema version, key check value, set-up code. */
export interface InstanceTable {
  name: string;
  value: string;
}

/** Changes of rows told to other processes, where nothing else carries them (store/bus/table.ts). */
export interface ChangeNoticeTable {
  id: Generated<number>;
  /** The process that wrote it. */
  source: string;
  /** JSON text of a `Change`. */
  notice: string;
}

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
export const ownKeys: Partial<Record<keyof Tables, string>> = {
  service_doc: 'service_id',
  custom: 'name',
  revoked_token: 'jti',
  instance: 'name',
};

export interface Tables {
  user: UserTable;
  app: AppTable;
  role: RoleTable;
  role_service_access: RoleServiceAccessTable;
  user_to_app_to_role: UserToAppToRoleTable;
  lookup: LookupTable;
  service: ServiceTable;
  service_doc: ServiceDocTable;
  db_table_extras: DbTableExtrasTable;
  db_field_extras: DbFieldExtrasTable;
  db_relationship_extras: DbRelationshipExtrasTable;
  db_virtual_relationship: DbVirtualRelationshipTable;
  email_template: EmailTemplateTable;
  custom: CustomTable;
  audit: AuditTable;
  revoked_token: RevokedTokenTable;
  instance: InstanceTable;
  change_notice: ChangeNoticeTable;
}
