import {
  date,
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

const personFields = {
  id: id(),
  name: name({ max: 255 }),
  username: name({ min: 6, max: 255, solid: true, unique: true }),
  ldap_username: text({ max: 255 }),
  first_name: text({ max: 255 }),
  last_name: text({ max: 255 }),
  last_login_date: date({ readOnly: true }),
  email: name({ max: 255, email: true, unique: true }),
  // The hashing code has a limit of its own.
  password: text({ writeOnly: true, maxBytes: textLengths.note }),
  is_active: flag(true),
  phone: text({ max: 32 }),
  security_question: text(),
  security_answer: text({ writeOnly: true, maxBytes: textLengths.note }),
  default_app_id: integer(),
  adldap: text({ max: 255 }),
  oauth_provider: text({ max: 255 }),
  saml: text({ max: 255 }),
  // Of older consoles, which write them; nothing reads them.
  user_source: integer({ default: 0 }),
  user_data: json(),
  ...stamps(),
  confirmed: flag(true, { computed: true, readOnly: true }),
  expired: flag(false, { computed: true, readOnly: true }),
};

const personRelations = {
  lookup_by_user_id: { kind: 'has_many', resource: 'owned_lookup', field: 'user_id' },
  user_to_app_to_role_by_user_id: { kind: 'has_many', resource: 'user_to_app_to_role', field: 'user_id' },
  app_by_user_to_app_to_role: {
    kind: 'many_many',
    resource: 'app',
    field: 'user_id',
    through: { resource: 'user_to_app_to_role', ref: 'app_id' },
  },
  role_by_user_to_app_to_role: {
    kind: 'many_many',
    resource: 'role',
    field: 'user_id',
    through: { resource: 'user_to_app_to_role', ref: 'role_id' },
  },
  ...stampRelations(),
} as const;

/** Ours: why their last mail with a code was not sent yet; only where one was not. */
const mailError = () => text({ computed: true, readOnly: true, optional: true });

/** Ordinary users (contract/system-resources.md §2). */
export const user = resource({
  name: 'user',
  label: 'Users',
  description: 'People who sign in to apps.',
  fields: {
    ...personFields,
    // Ours: whose address theirs looks like, for those who are shown these people; only where there is somebody.
    resembles: text({ computed: true, readOnly: true, optional: true }),
    mail_error: mailError(),
  },
  relations: personRelations,
});

/** System administrators: the same people table, the other value of the flag (contract/system-resources.md §1). */
export const admin = resource({
  name: 'admin',
  label: 'Administrators',
  description: 'People who run this instance.',
  fields: { ...personFields, mail_error: mailError() },
  relations: personRelations,
});

export type UserRecord = RecordOf<typeof user>;
