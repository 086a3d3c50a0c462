import type { ColumnDefinitionBuilder, CreateTableBuilder, ForeignKeyConstraintBuilder, Kysely } from 'kysely';
import type { StoreDialect } from '../dialects/index.ts';

type ForeignKey<C> = [
  string,
  C[],
  string,
  string[],
  (constraint: ForeignKeyConstraintBuilder) => ForeignKeyConstraintBuilder,
];

/** The tables of the first release (store/tables.ts). Short texts are varchar: some engines index only those. */
export async function first(db: Kysely<unknown>, { countedKey }: StoreDialect): Promise<void> {
  const table = (name: string) => db.schema.createTable(name).ifNotExists();
  const required = (column: ColumnDefinitionBuilder) => column.notNull();
  const number = (value: number) => (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(value);
  const keyed = (name: string) =>
    table(name).addColumn('id', 'integer', countedKey).addColumn('version', 'integer', number(1));
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
      .addColumn('created_date', 'varchar(32)')
      .addColumn('last_modified_date', 'varchar(32)')
      .addColumn('created_by_id', 'integer')
      .addColumn('last_modified_by_id', 'integer');

  await stamped(
    keyed('role')
      .addColumn('name', 'varchar(64)', (column) => column.notNull().unique())
      .addColumn('description', 'varchar(255)')
      .addColumn('is_active', 'integer', number(0)),
  ).execute();

  await stamped(
    keyed('service')
      .addColumn('name', 'varchar(40)', (column) => column.notNull().unique())
      .addColumn('label', 'varchar(80)', required)
      .addColumn('description', 'varchar(255)')
      .addColumn('is_active', 'integer', number(0))
      .addColumn('type', 'varchar(40)', required)
      .addColumn('mutable', 'integer', number(1))
      .addColumn('deletable', 'integer', number(1))
      .addColumn('config', 'text', required),
  ).execute();

  await table('service_doc')
    .addColumn('service_id', 'integer', (column) => column.primaryKey())
    .addColumn('version', 'integer', number(1))
    .addColumn('format', 'integer', number(0))
    .addColumn('content', 'text')
    .addColumn('created_date', 'varchar(32)')
    .addColumn('last_modified_date', 'varchar(32)')
    .addForeignKeyConstraint(...cascades('service_doc', 'service_id', 'service'))
    .execute();

  await stamped(
    keyed('app')
      .addColumn('name', 'varchar(64)', (column) => column.notNull().unique())
      .addColumn('api_key', 'varchar(255)', (column) => column.notNull().unique())
      .addColumn('description', 'varchar(255)')
      .addColumn('is_active', 'integer', number(0))
      .addColumn('type', 'integer', number(0))
      .addColumn('path', 'text')
      .addColumn('url', 'text')
      .addColumn('storage_service_id', 'integer')
      .addColumn('storage_container', 'varchar(255)')
      .addColumn('requires_fullscreen', 'integer', number(0))
      .addColumn('allow_fullscreen_toggle', 'integer', number(1))
      .addColumn('toggle_location', 'varchar(64)')
      .addColumn('role_id', 'integer')
      .addForeignKeyConstraint(...empties('app', 'storage_service_id', 'service'))
      .addForeignKeyConstraint(...empties('app', 'role_id', 'role')),
  ).execute();

  await stamped(
    keyed('user')
      .addColumn('name', 'varchar(255)', required)
      .addColumn('username', 'varchar(255)', (column) => column.notNull().unique())
      .addColumn('ldap_username', 'varchar(255)')
      .addColumn('first_name', 'varchar(255)')
      .addColumn('last_name', 'varchar(255)')
      .addColumn('email', 'varchar(255)', (column) => column.notNull().unique())
      .addColumn('password', 'varchar(255)')
      .addColumn('is_active', 'integer', number(1))
      .addColumn('is_sys_admin', 'integer', number(0))
      .addColumn('phone', 'varchar(32)')
      .addColumn('security_question', 'text')
      .addColumn('security_answer', 'varchar(255)')
      .addColumn('confirm_code', 'varchar(255)')
      .addColumn('default_app_id', 'integer')
      .addColumn('adldap', 'varchar(255)')
      .addColumn('oauth_provider', 'varchar(255)')
      .addColumn('saml', 'varchar(255)')
      .addColumn('last_login_date', 'varchar(32)')
      .addColumn('tokens_valid_from', 'bigint', number(0))
      .addForeignKeyConstraint(...empties('user', 'default_app_id', 'app')),
  ).execute();

  await stamped(
    keyed('role_service_access')
      .addColumn('role_id', 'integer', required)
      .addColumn('service_id', 'integer')
      .addColumn('component', 'varchar(255)')
      .addColumn('verb_mask', 'integer', number(0))
      .addColumn('requestor_mask', 'integer', number(1))
      .addColumn('filters', 'text')
      .addColumn('filter_op', 'varchar(32)', (column) => column.notNull().defaultTo('and'))
      .addForeignKeyConstraint(...cascades('role_service_access', 'role_id', 'role'))
      .addForeignKeyConstraint(...cascades('role_service_access', 'service_id', 'service')),
  ).execute();

  await keyed('user_to_app_to_role')
    .addColumn('user_id', 'integer', required)
    .addColumn('app_id', 'integer', required)
    .addColumn('role_id', 'integer', required)
    .addUniqueConstraint('user_to_app_once', ['user_id', 'app_id'])
    .addForeignKeyConstraint(...cascades('user_to_app_to_role', 'user_id', 'user'))
    .addForeignKeyConstraint(...cascades('user_to_app_to_role', 'app_id', 'app'))
    .addForeignKeyConstraint(...cascades('user_to_app_to_role', 'role_id', 'role'))
    .execute();

  await stamped(
    keyed('lookup')
      .addColumn('app_id', 'integer')
      .addColumn('role_id', 'integer')
      .addColumn('user_id', 'integer')
      .addColumn('name', 'varchar(255)', required)
      .addColumn('value', 'text')
      .addColumn('private', 'integer', number(0))
      .addColumn('description', 'text')
      .addForeignKeyConstraint(...cascades('lookup', 'app_id', 'app'))
      .addForeignKeyConstraint(...cascades('lookup', 'role_id', 'role'))
      .addForeignKeyConstraint(...cascades('lookup', 'user_id', 'user')),
  ).execute();

  await table('revoked_token')
    .addColumn('jti', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', required)
    .execute();

  await table('instance')
    .addColumn('name', 'varchar(64)', (column) => column.primaryKey())
    .addColumn('value', 'text', required)
    .execute();

  const index = (on: string, column: string) =>
    db.schema.createIndex(`${on}_${column}`).ifNotExists().on(on).column(column).execute();
  await index('role_service_access', 'role_id');
  await index('role_service_access', 'service_id');
  await index('user_to_app_to_role', 'app_id');
  await index('user_to_app_to_role', 'role_id');
  await index('lookup', 'app_id');
  await index('lookup', 'role_id');
  await index('lookup', 'user_id');
  await index('app', 'role_id');
  await index('revoked_token', 'expires_at');
}
