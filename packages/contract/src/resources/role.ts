import {
  flag,
  id,
  integer,
  json,
  name,
  type RecordOf,
  resource,
  stampRelations,
  stamps,
  text,
  textLengths,
} from '../resource.ts';

/** What callers may do (contract/system-resources.md §3). */
export const role = resource({
  name: 'role',
  label: 'Roles',
  description: 'What callers may do.',
  fields: {
    id: id(),
    name: name({ max: 64, unique: true }),
    description: text({ max: 255, cut: true }),
    is_active: flag(false),
    ...stamps(),
  },
  relations: {
    role_service_access_by_role_id: { kind: 'has_many', resource: 'role_service_access', field: 'role_id' },
    lookup_by_role_id: { kind: 'has_many', resource: 'owned_lookup', field: 'role_id' },
    role_adldap_by_role_id: { kind: 'has_one', resource: 'role_adldap', field: 'role_id' },
    app_by_role_id: { kind: 'has_many', resource: 'app', field: 'role_id' },
    user_to_app_to_role_by_role_id: { kind: 'has_many', resource: 'user_to_app_to_role', field: 'role_id' },
    service_by_role_service_access: {
      kind: 'many_many',
      resource: 'service',
      field: 'role_id',
      through: { resource: 'role_service_access', ref: 'service_id' },
    },
    user_by_user_to_app_to_role: {
      kind: 'many_many',
      resource: 'user',
      field: 'role_id',
      through: { resource: 'user_to_app_to_role', ref: 'user_id' },
    },
    app_by_user_to_app_to_role: {
      kind: 'many_many',
      resource: 'app',
      field: 'role_id',
      through: { resource: 'user_to_app_to_role', ref: 'app_id' },
    },
    ...stampRelations(),
  },
});

/** One row of what a role may do; rows of one role decide together (contract/role-access.md §1). */
export const roleServiceAccess = resource({
  name: 'role_service_access',
  label: 'Service Access',
  description: 'One row of what a role may do.',
  fields: {
    id: id(),
    role_id: integer(),
    service_id: integer(),
    component: text({ max: 255 }),
    verb_mask: integer({ default: 0 }),
    requestor_mask: integer({ default: 1 }),
    filters: json(),
    filter_op: text({ max: 32, default: 'and' }),
    ...stamps(),
  },
  relations: {
    role_by_role_id: { kind: 'belongs_to', resource: 'role', field: 'role_id' },
    service_by_service_id: { kind: 'belongs_to', resource: 'service', field: 'service_id' },
  },
});

/** The group of a directory whose people get a role (contract/system-resources.md §3). */
export const roleAdldap = resource({
  name: 'role_adldap',
  label: 'Directory Binding',
  description: 'The group of a directory whose people get the role.',
  identifier: 'role_id',
  fields: {
    role_id: integer(),
    dn: name({ max: textLengths.address }),
  },
  relations: { role_by_role_id: { kind: 'belongs_to', resource: 'role', field: 'role_id' } },
});

/** Which role a user has in which app (contract/system-resources.md §2). */
export const userToAppToRole = resource({
  name: 'user_to_app_to_role',
  label: 'Roles per App',
  description: 'Which role a user has in which app.',
  fields: {
    id: id(),
    user_id: integer({ required: true }),
    app_id: integer({ required: true }),
    role_id: integer({ required: true }),
  },
  relations: {
    user_by_user_id: { kind: 'belongs_to', resource: 'user', field: 'user_id' },
    app_by_app_id: { kind: 'belongs_to', resource: 'app', field: 'app_id' },
    role_by_role_id: { kind: 'belongs_to', resource: 'role', field: 'role_id' },
  },
});

export type RoleRecord = RecordOf<typeof role>;
export type RoleServiceAccessRecord = RecordOf<typeof roleServiceAccess>;
