// A person as the list shows them, as the editor holds them and as they are sent. Pure.
import type { UserRecord } from '@sluice/contract';
import { type LookupKey, lookupKeysOf, lookupKeysToDraft, lookupKeysToRecord } from '../../fields/lookup-keys.ts';

/** Administrators and users: the same screens, two resources. */
export type PeopleKind = 'admin' | 'user';

export const baseOf = { admin: '/admins', user: '/users' } as const;
/** PPL-049, PPL-056, PPL-057. */
export const relationsOf = {
  admin: 'lookup_by_user_id',
  user: 'user_to_app_to_role_by_user_id,lookup_by_user_id',
} as const;
/** The words of the permission message (OPEN-064). */
export const permissionTextsOf = {
  admin: { resources: 'system/admin', things: 'admins' },
  user: { resources: 'system/user, system/role, and system/app', things: 'users' },
} as const;

export type Registration = 'confirmed' | 'pending' | 'expired' | 'unknown';

/** Where someone stands with their confirmation (PPL-013…016); expired wins (OPEN-094). */
export const registrationOf = ({ confirmed, expired }: { confirmed?: unknown; expired?: unknown }): Registration =>
  expired === true ? 'expired' : confirmed === true ? 'confirmed' : confirmed === false ? 'pending' : 'unknown';

/** Someone's role in an app; on the server already when it has an id, and to be removed when its user is null (PPL-035). */
export interface AppRole extends Record<string, unknown> {
  id?: number;
  app_id: number;
  role_id: number | null;
  user_id?: number | null;
}

export interface PersonForm extends Record<string, unknown> {
  id?: number;
  name: string;
  first_name: string;
  last_name: string;
  email: string;
  username: string;
  phone: string;
  is_active: boolean;
  default_app_id: number | null;
  lookup_by_user_id: LookupKey[];
  user_to_app_to_role_by_user_id: AppRole[];
  /** Of a new person only. */
  sendInvite: boolean;
  setPassword: boolean;
  password: string;
  verify: string;
}

/** What the editor of a new person starts with (PPL-026). */
export const emptyPerson: PersonForm = {
  name: '',
  first_name: '',
  last_name: '',
  email: '',
  username: '',
  phone: '',
  is_active: true,
  default_app_id: null,
  lookup_by_user_id: [],
  user_to_app_to_role_by_user_id: [],
  sendInvite: false,
  setPassword: false,
  password: '',
  verify: '',
};

/** A loaded person as the editor holds them. */
export function toForm(record: Record<string, unknown>): PersonForm {
  const person = record as unknown as UserRecord & { user_to_app_to_role_by_user_id?: AppRole[] };
  return {
    ...emptyPerson,
    id: person.id,
    name: person.name,
    first_name: person.first_name ?? '',
    last_name: person.last_name ?? '',
    email: person.email,
    username: person.username ?? '',
    phone: person.phone ?? '',
    is_active: person.is_active,
    default_app_id: person.default_app_id ?? null,
    lookup_by_user_id: lookupKeysOf(record.lookup_by_user_id),
    user_to_app_to_role_by_user_id: person.user_to_app_to_role_by_user_id ?? [],
  };
}

/** The body of a save. A password goes along only while it is to be set (OPEN-088). */
export function toRecord(form: PersonForm, kind: PeopleKind): Record<string, unknown> {
  const { sendInvite: _invite, setPassword, password, verify: _verify, ...fields } = form;
  const { default_app_id, user_to_app_to_role_by_user_id, ...person } = fields;
  return {
    ...person,
    first_name: form.first_name || null,
    last_name: form.last_name || null,
    phone: form.phone || null,
    // PPL-025, PPL-027, PPL-028: what older servers take with a new person.
    ...(form.id === undefined ? { confirmed: false, user_source: 0, user_data: [] } : {}),
    ...(setPassword ? { password } : {}),
    lookup_by_user_id: lookupKeysToRecord(
      form.lookup_by_user_id,
      kind === 'admin' ? 'allow_admin_update' : 'allow_user_update',
    ),
    ...(kind === 'user' ? { default_app_id, user_to_app_to_role_by_user_id } : {}),
  };
}

/** A form as it may be kept as a draft: without passwords and private values. */
export const toDraft = (form: PersonForm): Partial<PersonForm> => ({
  ...form,
  password: '',
  verify: '',
  lookup_by_user_id: lookupKeysToDraft(form.lookup_by_user_id),
});

export type SignInProblem = 'neither' | 'both' | 'mismatch' | 'missing';

/** What is wrong with how someone is to sign in, by field (PPL-037, PPL-038, PPL-039, OPEN-088). */
export function signInProblems(form: PersonForm): Record<string, SignInProblem> {
  const { sendInvite, setPassword, password, verify } = form;
  const isNew = form.id === undefined;
  if (isNew && sendInvite === setPassword) return { sendInvite: sendInvite ? 'both' : 'neither' };
  if (!setPassword) return {};
  if (password !== verify) return { password: 'mismatch', verify: 'mismatch' };
  return password === '' ? { password: 'missing' } : {};
}

/** The role someone has in an app; null without one, or with one that is to be removed. */
export const roleIn = (roles: readonly AppRole[], app: number): number | null =>
  roles.find((row) => row.app_id === app && row.user_id !== null)?.role_id ?? null;

/**
 * The rows after a role was chosen for an app, or cleared: a row the server knows is changed, or marked by clearing its
 * owner; a new one is added, or dropped (PPL-035, PPL-036, OPEN-090).
 */
export function withRole(
  roles: readonly AppRole[],
  app: number,
  role: number | null,
  user: number | undefined,
): AppRole[] {
  const index = roles.findIndex((row) => row.app_id === app);
  const row = roles[index];
  const userReference = user === undefined ? {} : { user_id: user };
  if (role === null) {
    if (!row) return [...roles];
    return row.id === undefined
      ? roles.filter((_, other) => other !== index)
      : roles.with(index, { ...row, user_id: null });
  }
  return row
    ? roles.with(index, { ...row, role_id: role, ...userReference })
    : [...roles, { app_id: app, role_id: role, ...userReference }];
}
