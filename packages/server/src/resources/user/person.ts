// What users and administrators have in common: one table, split by a flag nobody can read or write
// (contract/system-resources.md §1–2).
import { type admin, fail, type user, verbMask } from '@sluice/contract';
import { maskOf } from '../../access/gate.ts';
import type { RecordInput } from '../../call/payload.ts';
import { findLookAlike, looksLikeAnother, resemblance, resembledBy, takeAddress } from '../../identity/addresses.ts';
import { isHashable, passwordBytes } from '../../identity/passwords.ts';
import { nextValidFrom } from '../../identity/revoked.ts';
import { findRow, identifier } from '../../records/rows.ts';
import { isEmpty } from '../../resource/fields.ts';
import type { Change, RecordContext, SerializedRecord, ServedResource, StoredRow } from '../../resource/resource.ts';
import type { Settings } from '../../settings/index.ts';
import { skeletonOf } from '../../store/index.ts';
import { requireHeldPerson } from '../role/delegation.ts';
import { requireAnother, takeTurn } from './administrators.ts';

export interface PeopleParts {
  settings: Pick<Settings, 'passwordMin' | 'loginAttribute'>;
  hashPassword(password: string): Promise<string>;
}

/** How long a confirmation code is good for, in milliseconds (contract/sessions-and-accounts.md §6). */
const confirmCodeTtl = 24 * 60 * 60 * 1000;

/** People of one kind as a served resource. */
export function people(
  definition: typeof user | typeof admin,
  isAdmin: boolean,
  { settings, hashPassword }: PeopleParts,
): ServedResource {
  return {
    definition,
    table: 'user',
    isAddressed: true,
    scope: { is_sys_admin: Number(isAdmin) },
    // The refusal names the kind the person is of, which is the other one.
    scopeRefusal(verb) {
      if (verb === 'update') return isAdmin ? fail('person.changeUser') : fail('person.changeAdmin');
      return isAdmin ? fail('person.deleteUser') : fail('person.deleteAdmin');
    },
    beforeBatch: refuseInvites,
    beforeWrite: isAdmin ? takeTurn : undefined,
    async prepare(input) {
      const hashed: Record<string, string> = {};
      const password = textOf(input.password);
      if (password.length >= settings.passwordMin && isHashable(password))
        hashed.password = await hashPassword(password);
      const answer = textOf(input.security_answer);
      if (answer !== '' && isHashable(answer)) hashed.security_answer = await hashPassword(answer);
      return hashed;
    },
    async beforeSave(change) {
      const { row, values, columns, context } = change;
      takeAddress(values, row?.email);
      if (isAdmin) requireAdmin(change.context);
      else await guardPerson(change);
      completeNames(change, settings.loginAttribute);
      setPassword(change, settings.passwordMin);
      setAnswer(change);
      if (typeof values.email === 'string') {
        columns.email_skeleton = skeletonOf(values.email);
        if (isAdmin && (await findLookAlike(context.db, values.email, row?.id)))
          change.invalid('email', looksLikeAnother);
      }
      await checkDefaultApp(change);
      if (values.is_active !== false || row?.is_active !== 1) return;
      if (isAdmin) await requireAnother(row, change.context);
      if (isAdmin && row.id === change.context.actor.caller.user?.id) throw fail('person.deactivateSelf');
      revokeTokens(row, columns);
    },
    async beforeDelete(row, context) {
      const { actor } = context;
      if (isAdmin) requireAdmin(context);
      if (row.id === actor.caller.user?.id) throw fail('person.deleteSelf');
      if (isAdmin) await requireAnother(row, context);
    },
    async serialize(records, context) {
      presentConfirmation(records);
      if (!isAdmin) await presentResemblance(records, context);
    },
    auditDetails: (row, before, { db }) => resemblance(db, row, before),
  };
}

/** Administrators are made and changed by administrators, whatever roles give. */
function requireAdmin({ actor }: RecordContext): void {
  if (!actor.caller.user?.isAdmin) throw fail('person.adminsOnly');
}

/** What a person is found and signed in by. */
const identities = ['email', 'username', 'ldap_username', 'adldap', 'oauth_provider', 'saml'];

/** Who is no administrator takes over nobody who may do more than they do themselves. */
async function guardPerson({ row, values, context }: Change): Promise<void> {
  const { user } = context.actor.caller;
  if (!row || user?.isAdmin) return;
  const isNew = (field: string) => values[field] !== undefined && values[field] !== row[field];
  const isOwn = row.id === user?.id;
  const isSecret = !isEmpty(values.password) || !isEmpty(values.security_answer) || isNew('security_question');
  if (isSecret) throw fail(isOwn ? 'person.ownPassword' : 'person.passwordOfAnother');
  if (isOwn) return;
  const isSwitchedOn = values.is_active === true && row.is_active !== 1;
  if (isSwitchedOn || identities.some(isNew)) await requireHeldPerson(context, Number(row.id));
}

/** The name is "first last", else what stands before the @; the username is the e-mail unless people sign in with it. */
function completeNames({ kind, values, value }: Change, loginAttribute: string): void {
  const isMissing = (field: string) => isEmpty(values[field]) && (kind === 'create' || Object.hasOwn(values, field));
  const email = textOf(value('email'));
  if (isMissing('name')) {
    const full = [value('first_name'), value('last_name')].map(textOf).filter(Boolean).join(' ');
    values.name = full || email.split('@')[0];
  }
  if (isMissing('username') && loginAttribute !== 'username') values.username = email;
}

/** The hash goes into its column; the text itself never leaves this function. */
function setPassword({ values, columns, prepared, row, invalid }: Change, least: number): void {
  const password = textOf(values.password);
  delete values.password;
  if (password === '') return;
  if (password.length < least) {
    invalid('password', `The password must be at least ${least} characters.`);
    return;
  }
  if (!isHashable(password)) {
    invalid('password', `The password may not be greater than ${passwordBytes} characters.`);
    return;
  }
  columns.password = prepared.password;
  if (!row) return;
  revokeTokens(row, columns);
  // An administrator who sets a password vouches for the address: a pending code is dropped.
  if (row.confirm_code !== null && row.confirm_code !== 'y') columns.confirm_code = null;
}

function setAnswer({ values, columns, prepared, invalid }: Change): void {
  const answer = textOf(values.security_answer);
  delete values.security_answer;
  if (answer === '') return;
  if (isHashable(answer)) columns.security_answer = prepared.security_answer;
  else invalid('security_answer', `The security answer may not be greater than ${passwordBytes} characters.`);
}

async function checkDefaultApp({ values, context, invalid }: Change): Promise<void> {
  if (isEmpty(values.default_app_id)) return;
  if (!(await findRow(context.db, context.resourceOf('app'), Number(values.default_app_id))))
    invalid('default_app_id', 'The selected default app id is invalid.');
}

/** Ends every token of the person issued so far. */
function revokeTokens(row: StoredRow, columns: StoredRow): void {
  columns.tokens_valid_from = nextValidFrom(Number(row.tokens_valid_from));
}

function presentConfirmation(records: SerializedRecord[]): void {
  for (const { record, row } of records) {
    const isPending = row.confirm_code !== null && row.confirm_code !== 'y';
    const since = Date.parse(String(row.last_modified_date));
    record.confirmed = !isPending;
    record.expired = isPending && Date.now() - since > confirmCodeTtl;
  }
}

/**
 * Whose address theirs looks like. Only for those who may read people, and administrators only for administrators. The
 * field is there when one of the records has it to say: answers are else as documented.
 */
async function presentResemblance(records: SerializedRecord[], { actor, db }: RecordContext): Promise<void> {
  if ((maskOf(actor.caller, actor.service, 'user') & verbMask.GET) === 0) return;
  const found = await resembledBy(
    db,
    records.map(({ row }) => row),
    actor.caller.user?.isAdmin === true,
  );
  if (found.size === 0) return;
  for (const { record, row } of records) record.resembles = found.get(row.id) ?? null;
}

/** Invitations need mail, which this server does not send yet: said before anything is written. */
async function refuseInvites(context: RecordContext, records: RecordInput[], ids: unknown[]): Promise<void> {
  if (!context.options.sendInvite || records.length === 0) return;
  for (const raw of ids) {
    const id = identifier(raw);
    const row = id === undefined ? undefined : await findRow(context.db, context.resourceOf('user'), id);
    if (row?.confirm_code === 'y') throw fail('person.confirmed');
  }
  throw records.length > 1 ? fail('person.invites') : fail('person.inviteWithoutMail');
}

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
