// People who register themselves (contract/sessions-and-accounts.md §7).
import { fail } from '@sluice/contract';
import { type RecordInput, stringifyInput } from '../call/payload.ts';
import { createJobKind, type Jobs } from '../jobs/index.ts';
import { platformActor } from '../records/actor.ts';
import type { RecordEngine } from '../records/index.ts';
import { insertRow } from '../records/write-row.ts';
import { fieldLabel, type ValidationMessages } from '../resource/fields.ts';
import type { Services } from '../service/registry.ts';
import type { Settings } from '../settings/index.ts';
import { type Store, skeletonOf } from '../store/index.ts';
import { type AccountMails, gapReasons, type MailGap } from './account-mails.ts';
import type { AccountCall } from './accounts.ts';
import { normalizeAddress } from './addresses.ts';
import { createCode, storedCode } from './codes.ts';
import { hashPassword } from './passwords.ts';
import { findPasswordProblems, readPerson } from './person-rules.ts';
import { queueKeyOf, type Throttle } from './throttle.ts';

export interface Registration {
  /** Registers somebody. Answers their id; undefined where a mail has to be confirmed first. */
  register(fields: RecordInput, call: AccountCall): Promise<number | undefined>;
}

interface RegistrationParts {
  store: Store;
  records: RecordEngine;
  jobs: Jobs;
  mails: AccountMails;
  throttle: Throttle;
  services: () => Pick<Services, 'rows'>;
  settings: Pick<Settings, 'confirmCodeLength' | 'loginAttribute' | 'passwordMin'>;
}

/** A person who is about to be made, and where the call came from. */
interface NewPerson {
  columns: Record<string, unknown>;
  /** The mail is sent with this app's name. */
  app?: string | undefined;
  origin: { id: string | null; ip: string | null; userAgent: string | null };
}

const registration = createJobKind<NewPerson>('registration');

/** With the hint that the contract has here alone. */
const reasonOf = (gap: MailGap): string =>
  gap === 'service' ? `${gapReasons.service} See system configuration.` : gapReasons[gap];

/** Under this name registrations of a network address are counted. No e-mail or user name has a blank. */
const throttleAccount = 'a registration';

export function createRegistration(parts: RegistrationParts): Registration {
  const { store, records, jobs, mails, throttle, services, settings } = parts;
  const readConfig = async () => (await services().rows()).find(({ type }) => type === 'user')?.config ?? {};

  /** Makes a person with the roles of those who register, and a code that waits where a mail confirms them. */
  const createPerson = ({ columns, app, origin }: NewPerson, isConfirmed: boolean): Promise<number> =>
    records.transaction(platformActor(origin), async (transaction) => {
      const { db, resourceOf } = transaction;
      const code = isConfirmed ? undefined : createCode(settings.confirmCodeLength);
      const row = { ...columns, is_active: 1, confirm_code: code === undefined ? null : storedCode(code) };
      const user = Number(await insertRow(resourceOf('user'), row, transaction));
      const apps = await db.selectFrom('app').select('id').orderBy('id').execute();
      for (const [app_id, role_id] of rolesOf(await readConfig(), apps))
        await insertRow(resourceOf('user_to_app_to_role'), { user_id: user, app_id, role_id }, transaction);
      if (code !== undefined) await mails.queue({ purpose: 'register', user, code, app }, db);
      return user;
    });

  jobs.handle(registration, async (person) => {
    await createPerson(person, false).catch((error: unknown) => {
      // Somebody has the address by now, or had it when it was asked for.
      if (!store.isDuplicate(error)) throw error;
    });
  });

  return {
    async register(fields, call) {
      const config = await readConfig();
      const isByMail = typeof config.open_reg_email_service_id === 'number';
      const person = completePerson(fields);
      const { values, problems } = await readPerson(store.db, person, undefined);
      for (const field of ['email', 'first_name', 'last_name', 'name', 'username'])
        if (isEmptyText(person[field])) problems[field] = [`The ${fieldLabel(field)} field is required.`];
      // The user name is the address: what is wrong with both is said once.
      if (isEmptyText(fields.username) && settings.loginAttribute !== 'username') delete problems.username;
      // A mail to somebody who has the address tells nobody that they have one.
      const isTaken = problems.email?.every((message) => message.endsWith('already been taken.')) ?? false;
      if (isByMail && isTaken) delete problems.email;
      const password = passwordOf(fields);
      if (!isByMail) Object.assign(problems, findNewPasswordProblems(fields, password, settings.passwordMin));
      if (Object.keys(problems).length > 0) throw fail('account.registrationInvalid', undefined, { context: problems });
      if (config.allow_open_registration !== true) throw fail('account.registrationClosed');
      const gap = isByMail ? await mails.findGap('register', 'user') : undefined;
      if (gap) throw fail('account.confirmationFailed', { reason: reasonOf(gap) });
      // Each counts as a wrong guess: one network address registers few people a minute.
      await throttle.judge({ account: throttleAccount, address: call.ip, call }, async () => false);

      const { security_answer: answer, ...columns } = values;
      const email = String(values.email);
      const slot = { queueKey: queueKeyOf(call.ip, email), call };
      const hash = async (text: string) => hashPassword(text, slot);
      const created: NewPerson = {
        columns: {
          ...{ ...columns, email_skeleton: skeletonOf(email) },
          security_answer: isEmptyText(answer) ? null : await hash(stringifyInput(answer)),
          password: isByMail ? null : await hash(password),
        },
        app: call.caller.app?.name,
        origin: { id: call.id, ip: call.ip, userAgent: call.userAgent },
      };
      if (!isByMail) return createPerson(created, true);
      // Made by a job in either case, so that the time tells nobody whether the address is taken.
      await jobs.add(registration, created);
      return undefined;
    },
  };
}

/** The apps and roles of somebody who registered: one role for every app, other ones for some. */
function rolesOf(config: Record<string, unknown>, apps: { id: number }[]): Map<number, number> {
  const roles = new Map<number, number>();
  if (typeof config.open_reg_role_id === 'number') for (const { id } of apps) roles.set(id, config.open_reg_role_id);
  const known = new Set(apps.map(({ id }) => id));
  for (const { app_id, role_id } of (config.app_role_map ?? []) as { app_id: number; role_id: number }[])
    if (known.has(app_id) && typeof role_id === 'number') roles.set(app_id, role_id);
  return roles;
}

const isEmptyText = (value: unknown): boolean => value === undefined || value === null || value === '';

const registrationFields = ['email', 'first_name', 'last_name', 'name', 'username', 'phone'] as const;

/** What was sent, with the names that follow from others. */
function completePerson(fields: RecordInput): RecordInput {
  const person: RecordInput = Object.fromEntries(
    [...registrationFields, 'security_question', 'security_answer'].flatMap((name) =>
      isEmptyText(fields[name]) ? [] : [[name, fields[name]]],
    ),
  );
  const email = typeof fields.email === 'string' ? normalizeAddress(fields.email) : '';
  if (isEmptyText(person.first_name) && email !== '') person.first_name = email.split('@')[0];
  if (isEmptyText(person.last_name) && typeof person.first_name === 'string') {
    const [first = '', second] = person.first_name.split('.', 2);
    if (second) Object.assign(person, { first_name: first, last_name: second });
    else person.last_name = person.first_name;
  }
  if (isEmptyText(person.name) && typeof person.first_name === 'string')
    person.name = [person.first_name, person.last_name].map(stringifyInput).join(' ');
  if (isEmptyText(person.username) && email !== '') person.username = email;
  return person;
}

const passwordOf = ({ new_password, password }: RecordInput): string =>
  stringifyInput(isEmptyText(new_password) ? (password ?? '') : new_password);

function findNewPasswordProblems(fields: RecordInput, password: string, min: number): ValidationMessages {
  if (password === '') return { password: ['The password field is required.'] };
  const { password_confirmation: confirmation } = fields;
  if (!isEmptyText(confirmation) && stringifyInput(confirmation) !== password)
    return { password: ['The password confirmation does not match.'] };
  return findPasswordProblems(password, min);
}
