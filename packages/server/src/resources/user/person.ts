// What users and administrators have in common: one table, split by a flag nobody can read or write
// (contract/system-resources.md §1–2).
import { type admin, fail, type user, verbMask } from '@sluice/contract';
import { maskOf } from '../../access/gate.ts';
import type { RecordInput } from '../../call/payload.ts';
import { type AccountMails, accountMailKey, gapReasons } from '../../identity/account-mails.ts';
import {
  findLookAlike,
  findResemblance,
  findResemblances,
  lookAlikeMessage,
  normalizeNewEmail,
} from '../../identity/addresses.ts';
import { confirmed, createCode, isExpired, isPending, storedCode } from '../../identity/codes.ts';
import { isHashable, maxPasswordBytes } from '../../identity/passwords.ts';
import { nextValidFrom } from '../../identity/revoked.ts';
import { findRow, parseNumericId } from '../../records/rows.ts';
import { isEmpty } from '../../resource/fields.ts';
import type {
  RecordChange,
  RecordContext,
  SerializedRecord,
  ServedResource,
  StoredRow,
} from '../../resource/resource.ts';
import type { Settings } from '../../settings/index.ts';
import { type Db, skeletonOf } from '../../store/index.ts';
import { requireHeldRolesOfPerson } from '../role/delegation.ts';
import { lockAdministrators, requireOtherAdministrator } from './administrators.ts';

export interface PersonParts {
  settings: Pick<Settings, 'confirmCodeLength' | 'confirmCodeMinutes' | 'passwordMin' | 'loginAttribute'>;
  hashPassword(password: string): Promise<string>;
  mails: Pick<AccountMails, 'findGap' | 'queue'>;
}

/** People of one kind as a served resource. */
export function personResource(
  definition: typeof user | typeof admin,
  isAdmin: boolean,
  { settings, hashPassword, mails }: PersonParts,
): ServedResource {
  return {
    definition,
    table: 'user',
    isAddressed: true,
    unlinks: [{ resource: 'limit', field: 'user_id' }],
    scope: { is_sys_admin: Number(isAdmin) },
    // The refusal names the kind of the person, which is the other one.
    scopeRefusal(verb) {
      if (verb === 'update') return isAdmin ? fail('person.changeUser') : fail('person.changeAdmin');
      return isAdmin ? fail('person.deleteUser') : fail('person.deleteAdmin');
    },
    beforeBatch: (context, inputs, ids) => checkInvites(context, inputs, ids, isAdmin, mails),
    beforeWrite: isAdmin ? lockAdministrators : undefined,
    async prepare(input) {
      const hashed: Record<string, string> = {};
      const password = inputText(input.password);
      if (password.length >= settings.passwordMin && isHashable(password))
        hashed.password = await hashPassword(password);
      const answer = inputText(input.security_answer);
      if (answer !== '' && isHashable(answer)) hashed.security_answer = await hashPassword(answer);
      return hashed;
    },
    async beforeSave(change) {
      const { row, values, columns, context } = change;
      normalizeNewEmail(values, row?.email);
      if (isAdmin) requireAdmin(change.context);
      else await authorizePersonChange(change);
      completeNames(change, settings.loginAttribute);
      setPassword(change, settings.passwordMin);
      setAnswer(change);
      if (typeof values.email === 'string') {
        columns.email_skeleton = skeletonOf(values.email);
        // Tokens name the old address; they stay ended when it comes back.
        if (row && values.email !== row.email) revokeTokens(row, columns);
        if (isAdmin && (await findLookAlike(context.db, values.email, row?.id)))
          change.reportInvalid('email', lookAlikeMessage);
      }
      await checkDefaultApp(change);
      if (context.options.sendInvite) invite(change, settings.confirmCodeLength, mails);
      if (values.is_active !== false || row?.is_active !== 1) return;
      if (isAdmin) await requireOtherAdministrator(row, change.context);
      if (isAdmin && row.id === change.context.actor.caller.user?.id) throw fail('person.deactivateSelf');
      revokeTokens(row, columns);
    },
    async beforeDelete(row, context) {
      const { actor } = context;
      if (isAdmin) requireAdmin(context);
      if (row.id === actor.caller.user?.id) throw fail('person.deleteSelf');
      if (isAdmin) await requireOtherAdministrator(row, context);
    },
    async serialize(records, context) {
      addConfirmation(records, settings.confirmCodeMinutes);
      await addMailErrors(records, isAdmin, context);
      if (!isAdmin) await addResemblance(records, context);
    },
    auditDetails: (row, before, { db }) => findResemblance(db, row, before),
  };
}

/** Only administrators create and change administrators, whatever roles give. */
function requireAdmin({ actor }: RecordContext): void {
  if (!actor.caller.user?.isAdmin) throw fail('person.adminsOnly');
}

/** What a person is found and signed in by. */
const identifyingFields = ['email', 'username', 'ldap_username', 'adldap', 'oauth_provider', 'saml'];

/** A caller who is no administrator takes over nobody who may do more than the caller. */
async function authorizePersonChange({ row, values, context }: RecordChange): Promise<void> {
  const { user } = context.actor.caller;
  if (!row || user?.isAdmin) return;
  const isChanged = (field: string) => values[field] !== undefined && values[field] !== row[field];
  const isOwn = row.id === user?.id;
  const changesSecret = !isEmpty(values.password) || !isEmpty(values.security_answer) || isChanged('security_question');
  if (changesSecret) throw fail(isOwn ? 'person.ownPassword' : 'person.passwordOfAnother');
  if (isOwn) return;
  const isSwitchedOn = values.is_active === true && row.is_active !== 1;
  if (isSwitchedOn || identifyingFields.some(isChanged)) await requireHeldRolesOfPerson(context, Number(row.id));
}

/** The name is "first last", else what stands before the @; the username is the e-mail unless people sign in with it. */
function completeNames({ kind, values, value }: RecordChange, loginAttribute: string): void {
  const isMissing = (field: string) => isEmpty(values[field]) && (kind === 'create' || Object.hasOwn(values, field));
  const email = inputText(value('email'));
  if (isMissing('name')) {
    const fullName = [value('first_name'), value('last_name')].map(inputText).filter(Boolean).join(' ');
    values.name = fullName || email.split('@')[0];
  }
  if (isMissing('username') && loginAttribute !== 'username') values.username = email;
}

/** The hash goes into its column; the text itself never leaves this function. */
function setPassword({ values, columns, prepared, row, reportInvalid }: RecordChange, minLength: number): void {
  const password = inputText(values.password);
  delete values.password;
  if (password === '') return;
  if (password.length < minLength) {
    reportInvalid('password', `The password must be at least ${minLength} characters.`);
    return;
  }
  if (!isHashable(password)) {
    reportInvalid('password', `The password may not be greater than ${maxPasswordBytes} characters.`);
    return;
  }
  columns.password = prepared.password;
  if (!row) return;
  revokeTokens(row, columns);
  // An administrator who sets a password vouches for the address: a pending code is dropped.
  if (isPending(row.confirm_code)) columns.confirm_code = null;
}

function setAnswer({ values, columns, prepared, reportInvalid }: RecordChange): void {
  const answer = inputText(values.security_answer);
  delete values.security_answer;
  if (answer === '') return;
  if (isHashable(answer)) columns.security_answer = prepared.security_answer;
  else reportInvalid('security_answer', `The security answer may not be greater than ${maxPasswordBytes} characters.`);
}

async function checkDefaultApp({ values, context, reportInvalid }: RecordChange): Promise<void> {
  if (isEmpty(values.default_app_id)) return;
  if (!(await findRow(context.db, context.resourceOf('app'), Number(values.default_app_id))))
    reportInvalid('default_app_id', 'The selected default app id is invalid.');
}

/** Ends every token of the person issued so far. */
function revokeTokens(row: StoredRow, columns: StoredRow): void {
  columns.tokens_valid_from = nextValidFrom(Number(row.tokens_valid_from));
}

function addConfirmation(records: SerializedRecord[], minutes: number): void {
  for (const { record, row } of records) {
    record.confirmed = !isPending(row.confirm_code);
    record.expired = isPending(row.confirm_code) && isExpired(row as { last_modified_date: unknown }, minutes);
  }
}

/** What callers read who may see people and not change them: a mail server's words can name what it knows of the instance. */
const plainMailError = 'The mail could not be sent.';

/**
 * Why the mail with the code of a person was not sent yet, in words of the transport for those who may change the person. The field is there when one of the records has a value for it:
 * otherwise answers are as documented.
 */
async function addMailErrors(
  records: SerializedRecord[],
  isAdmin: boolean,
  { actor, db }: RecordContext,
): Promise<void> {
  const pending = records.filter(({ row }) => isPending(row.confirm_code));
  if (pending.length === 0) return;
  const found = new Map<string, string>();
  for (let at = 0; at < pending.length; at += 500) {
    const keys = pending.slice(at, at + 500).map(({ row }) => accountMailKey(Number(row.id)));
    const jobs = db.selectFrom('job').select(['unique_key', 'error']).where('unique_key', 'in', keys);
    for (const { unique_key, error } of await jobs.where('error', 'is not', null).execute())
      found.set(String(unique_key), String(error));
  }
  if (found.size === 0) return;
  const mayChange =
    actor.caller.user?.isAdmin || (!isAdmin && (maskOf(actor.caller, actor.service, 'user') & verbMask.PATCH) !== 0);
  for (const { record, row } of records) {
    const error = found.get(accountMailKey(Number(row.id)));
    record.mail_error = error === undefined ? null : mayChange ? error : plainMailError;
  }
}

/**
 * Whose address theirs looks like. Only callers who may read people see it, and of administrators only administrators.
 * The field is there when one of the records has a value for it: otherwise answers are as documented.
 */
async function addResemblance(records: SerializedRecord[], { actor, db }: RecordContext): Promise<void> {
  if ((maskOf(actor.caller, actor.service, 'user') & verbMask.GET) === 0) return;
  const resembled = await findResemblances(
    db,
    records.map(({ row }) => row),
    actor.caller.user?.isAdmin === true,
  );
  if (resembled.size === 0) return;
  for (const { record, row } of records) record.resembles = resembled.get(row.id) ?? null;
}

/** Invitations that cannot be sent are refused before anything is written. */
async function checkInvites(
  context: RecordContext,
  inputs: RecordInput[],
  ids: unknown[],
  isAdmin: boolean,
  mails: PersonParts['mails'],
): Promise<void> {
  if (!context.options.sendInvite || inputs.length === 0) return;
  for (const raw of ids) {
    const id = parseNumericId(raw);
    const row = id === undefined ? undefined : await findRow(context.db, context.resourceOf('user'), id);
    if (row?.confirm_code === confirmed) throw fail('person.confirmed');
  }
  const gap = await mails.findGap('invite', isAdmin ? 'admin' : 'user');
  if (gap) throw inputs.length > 1 ? fail('person.invites') : fail('person.inviteFailed', { reason: gapReasons[gap] });
}

/** Gives the person a code, and has it mailed to them once they are written: with them, or not at all. */
function invite({ row, columns, context, value }: RecordChange, codeLength: number, mails: PersonParts['mails']): void {
  const code = createCode(codeLength);
  columns.confirm_code = storedCode(code);
  const email = inputText(value('email'));
  context.deferredChecks.set(`invite ${row?.id ?? email}`, async () => {
    const { db } = context;
    const id = row?.id ?? (await findUserByEmail(db, email));
    await mails.queue({ purpose: 'invite', user: Number(id), code }, db);
  });
}

const findUserByEmail = async (db: Db, email: string): Promise<number | undefined> =>
  (await db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst())?.id;

const inputText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';
