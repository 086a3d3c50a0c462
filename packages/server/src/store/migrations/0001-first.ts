import type { ColumnDefinitionBuilder, CreateTableBuilder, ForeignKeyConstraintBuilder, Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';
import { createTable } from './new-table.ts';

type ForeignKey<C> = [
  string,
  C[],
  string,
  string[],
  (constraint: ForeignKeyConstraintBuilder) => ForeignKeyConstraintBuilder,
];

/** The tables of the first release (store/tables.ts). Short texts are varchar: some engines index only those. */
export async function first(db: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { id, integer, text, longText } = dialect.types;
  const table = (name: string) => createTable(db, dialect, name);
  const required = (column: ColumnDefinitionBuilder) => column.notNull();
  const unique = (column: ColumnDefinitionBuilder) => column.notNull().unique();
  /** Beside a name that is looked up and told apart whatever its case; by its index, however many rows there are. */
  const folded = (name: string) => (column: ColumnDefinitionBuilder) =>
    column.generatedAlwaysAs(dialect.folded(name)).stored().unique();
  const number = (value: number) => (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(value);
  const keyed = (name: string) =>
    table(name).addColumn('id', id, dialect.countedKey).addColumn('version', integer, number(1));
  // As table constraints: MySQL reads references written beside a column and ignores them.
  const foreign =
    (action: 'cascade' | 'set null') =>
    <C extends string>(on: string, column: C, target: string): ForeignKey<C> => [
      `${on}_${column}_fk`,
      [column],
      target,
      ['id'],
      (constraint) => constraint.onDelete(action),
    ];
  const cascades = foreign('cascade');
  const empties = foreign('set null');
  // Who wrote a row is kept after that person is gone, so the stamps point nowhere.
  const stamped = <T extends string>(builder: CreateTableBuilder<T, string>) =>
    builder
      .addColumn('created_date', text(32))
      .addColumn('last_modified_date', text(32))
      .addColumn('created_by_id', integer)
      .addColumn('last_modified_by_id', integer);

  await stamped(
    keyed('role')
      .addColumn('name', text(64), unique)
      .addColumn('name_folded', text(64), folded('name'))
      .addColumn('description', text(255))
      .addColumn('is_active', integer, number(0)),
  ).execute();

  await stamped(
    keyed('service')
      .addColumn('name', text(40), unique)
      .addColumn('name_folded', text(40), folded('name'))
      .addColumn('label', text(80), required)
      .addColumn('description', text(255))
      .addColumn('is_active', integer, number(0))
      .addColumn('type', text(40), required)
      .addColumn('mutable', integer, number(1))
      .addColumn('deletable', integer, number(1))
      .addColumn('config', longText, required),
  ).execute();

  await table('service_doc')
    .addColumn('service_id', integer, (column) => column.primaryKey())
    .addColumn('version', integer, number(1))
    .addColumn('format', integer, number(0))
    .addColumn('content', longText)
    .addColumn('created_date', text(32))
    .addColumn('last_modified_date', text(32))
    .addForeignKeyConstraint(...cascades('service_doc', 'service_id', 'service'))
    .execute();

  await stamped(
    keyed('app')
      .addColumn('name', text(64), unique)
      .addColumn('name_folded', text(64), folded('name'))
      .addColumn('api_key', text(255), unique)
      .addColumn('description', text(255))
      .addColumn('is_active', integer, number(0))
      .addColumn('type', integer, number(0))
      .addColumn('path', longText)
      .addColumn('url', longText)
      .addColumn('storage_service_id', integer)
      .addColumn('storage_container', text(255))
      .addColumn('requires_fullscreen', integer, number(0))
      .addColumn('allow_fullscreen_toggle', integer, number(1))
      .addColumn('toggle_location', text(64))
      .addColumn('role_id', integer)
      .addForeignKeyConstraint(...empties('app', 'storage_service_id', 'service'))
      .addForeignKeyConstraint(...empties('app', 'role_id', 'role')),
  ).execute();

  await stamped(
    keyed('user')
      .addColumn('name', text(255), required)
      .addColumn('username', text(255), unique)
      .addColumn('username_folded', text(255), folded('username'))
      .addColumn('ldap_username', text(255))
      .addColumn('first_name', text(255))
      .addColumn('last_name', text(255))
      .addColumn('email', text(255), unique)
      .addColumn('email_folded', text(255), folded('email'))
      .addColumn('password', text(255))
      .addColumn('is_active', integer, number(1))
      .addColumn('is_sys_admin', integer, number(0))
      .addColumn('phone', text(32))
      .addColumn('security_question', longText)
      .addColumn('security_answer', text(255))
      .addColumn('confirm_code', text(255))
      .addColumn('default_app_id', integer)
      .addColumn('adldap', text(255))
      .addColumn('oauth_provider', text(255))
      .addColumn('saml', text(255))
      .addColumn('last_login_date', text(32))
      .addColumn('tokens_valid_from', integer, number(0))
      .addForeignKeyConstraint(...empties('user', 'default_app_id', 'app')),
  ).execute();

  await stamped(
    keyed('role_service_access')
      .addColumn('role_id', integer, required)
      .addColumn('service_id', integer)
      .addColumn('component', text(255))
      .addColumn('verb_mask', integer, number(0))
      .addColumn('requestor_mask', integer, number(1))
      .addColumn('filters', longText)
      .addColumn('filter_op', text(32), (column) => column.notNull().defaultTo('and'))
      .addForeignKeyConstraint(...cascades('role_service_access', 'role_id', 'role'))
      .addForeignKeyConstraint(...cascades('role_service_access', 'service_id', 'service')),
  ).execute();

  await keyed('user_to_app_to_role')
    .addColumn('user_id', integer, required)
    .addColumn('app_id', integer, required)
    .addColumn('role_id', integer, required)
    .addUniqueConstraint('user_to_app_once', ['user_id', 'app_id'])
    .addForeignKeyConstraint(...cascades('user_to_app_to_role', 'user_id', 'user'))
    .addForeignKeyConstraint(...cascades('user_to_app_to_role', 'app_id', 'app'))
    .addForeignKeyConstraint(...cascades('user_to_app_to_role', 'role_id', 'role'))
    .execute();

  await stamped(
    keyed('lookup')
      .addColumn('app_id', integer)
      .addColumn('role_id', integer)
      .addColumn('user_id', integer)
      .addColumn('name', text(255), required)
      .addColumn('value', longText)
      .addColumn('private', integer, number(0))
      .addColumn('description', longText)
      .addForeignKeyConstraint(...cascades('lookup', 'app_id', 'app'))
      .addForeignKeyConstraint(...cascades('lookup', 'role_id', 'role'))
      .addForeignKeyConstraint(...cascades('lookup', 'user_id', 'user')),
  ).execute();

  await table('revoked_token')
    .addColumn('jti', text(64), (column) => column.primaryKey())
    .addColumn('expires_at', integer, required)
    .execute();

  await table('instance')
    .addColumn('name', text(64), (column) => column.primaryKey())
    .addColumn('value', longText, required)
    .execute();

  const index = (on: string, column: string) => dialect.createIndex(db, on, column);
  await index('role_service_access', 'role_id');
  await index('role_service_access', 'service_id');
  await index('user_to_app_to_role', 'app_id');
  await index('user_to_app_to_role', 'role_id');
  await index('lookup', 'app_id');
  await index('lookup', 'role_id');
  await index('lookup', 'user_id');
  await index('app', 'role_id');
  await index('user', 'is_sys_admin');
  await index('revoked_token', 'expires_at');
}
