// What people change about themselves: the password they know, their profile (contract/sessions-and-accounts.md §5, §8).
import { fail } from '@sluice/contract';
import type { Selectable, Updateable } from 'kysely';
import type { Call } from '../call/call.ts';
import type { RecordInput } from '../call/payload.ts';
import type { RecordEngine } from '../records/index.ts';
import { updateRow } from '../records/write-row.ts';
import type { Settings } from '../settings/index.ts';
import { type Db, type Store, skeletonOf } from '../store/index.ts';
import type { UserTable } from '../store/tables.ts';
import { refuseLookAlike } from './addresses.ts';
import type { Leaving } from './fair-queue.ts';
import { hashPassword, isHashable, verifyPassword } from './passwords.ts';
import { passwordProblems, readPerson, refuse } from './person-rules.ts';
import { nextValidFrom } from './revoked.ts';
import { laneOf, type Throttle } from './throttle.ts';

/** `GET user/profile`. */
export interface Profile {
  username: string;
  first_name: string | null;
  last_name: string | null;
  name: string;
  email: string;
  phone: string | null;
  security_question: string | null;
  default_app_id: number | null;
  oauth_provider: string;
  adldap: string;
}

/** The call by which people change their account. */
type By = Pick<Call, 'id' | 'caller' | 'service' | 'baseUrl' | 'ip' | 'userAgent'> & Leaving;

export interface Accounts {
  /** Sets a new password of a person who gave the old one; every token of theirs ends. */
  changePassword(id: number, password: { old: string; new: string }, by: By): Promise<void>;
  profile(id: number): Promise<Profile>;
  /** Writes what is there and not null; tells whether the e-mail changed, which ends every token of theirs. */
  changeProfile(id: number, fields: RecordInput, by: By): Promise<{ emailChanged: boolean }>;
}

interface Parts {
  store: Store;
  records: RecordEngine;
  settings: Pick<Settings, 'passwordMin'>;
  throttle: Throttle;
}

const profileFields = [
  'name',
  'username',
  'first_name',
  'last_name',
  'email',
  'phone',
  'security_question',
  'security_answer',
  'default_app_id',
] as const;

export function createAccounts({ store, records, settings, throttle }: Parts): Accounts {
  const rowOf = async (db: Db, id: number) => {
    const row = await db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw fail('session.userGone');
    return row;
  };

  return {
    async changePassword(id, password, by) {
      const row = await rowOf(store.db, id);
      // A stolen token must not serve to guess the password, so guesses count as failed sign-ins do.
      const turn = { lane: laneOf(by.ip, row.email), from: by };
      const isRight = await throttle.judge({ account: row.email, address: by.ip, from: by }, async () => {
        const { matches } = await verifyPassword(password.old, row.password, turn);
        return matches;
      });
      if (!isRight) throw fail('account.oldPasswordWrong');
      refuse(passwordProblems(password.new, settings.passwordMin));
      const hash = await hashPassword(password.new, turn);
      await changePerson(records, id, by, (person) => ({ password: hash, ...endTokens(person) }));
    },

    async profile(id) {
      const row = await rowOf(store.db, id);
      return {
        username: row.username,
        first_name: row.first_name,
        last_name: row.last_name,
        name: row.name,
        email: row.email,
        phone: row.phone,
        security_question: row.security_question,
        default_app_id: row.default_app_id,
        oauth_provider: row.oauth_provider ?? '',
        adldap: row.adldap ?? '',
      };
    },

    async changeProfile(id, fields, by) {
      const input = Object.fromEntries(
        profileFields.flatMap((name) => (isGiven(fields[name]) ? [[name, fields[name]]] : [])),
      );
      const { email } = await rowOf(store.db, id);
      const answer = await hashAnswer(input.security_answer, { lane: laneOf(by.ip, email), from: by });
      let emailChanged = false;
      await changePerson(records, id, by, async (row, db) => {
        const { values, problems } = await readPerson(db, input, row);
        if (row.is_sys_admin === 1) await refuseLookAlike(db, values.email, id, problems);
        refuse(problems);
        const columns = {
          ...values,
          ...(answer === undefined ? {} : { security_answer: answer }),
        } as Updateable<UserTable>;
        emailChanged = columns.email !== undefined && columns.email !== row.email;
        if (!emailChanged) return columns;
        return { ...columns, email_skeleton: skeletonOf(String(columns.email)), ...endTokens(row) };
      });
      return { emailChanged };
    },
  };
}

/** The hash of a security answer, null for an empty one; undefined for what is none, which `readPerson` refuses. */
async function hashAnswer(
  answer: unknown,
  lease: Parameters<typeof hashPassword>[1],
): Promise<string | null | undefined> {
  if (typeof answer !== 'string' || !isHashable(answer)) return undefined;
  return answer === '' ? null : hashPassword(answer, lease);
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

/** Writes what `change` makes of a person's row, by that person. */
async function changePerson(
  records: RecordEngine,
  id: number,
  by: By,
  change: (row: PersonRow, db: Db) => Promise<Updateable<UserTable>> | Updateable<UserTable>,
): Promise<void> {
  await records.transaction(by, async (transaction) => {
    const { db, store, resourceOf } = transaction;
    // Two changes at once must not end the same tokens only.
    const row = await db
      .selectFrom('user')
      .selectAll()
      .where('id', '=', id)
      .modifyEnd(store.sql.toChange)
      .executeTakeFirst();
    if (!row) throw fail('session.userGone');
    const columns = await change(row, db);
    await updateRow(resourceOf(row.is_sys_admin === 1 ? 'admin' : 'user'), { ...row }, columns, transaction);
  });
}

type PersonRow = Selectable<UserTable>;

const endTokens = ({ tokens_valid_from }: PersonRow) => ({ tokens_valid_from: nextValidFrom(tokens_valid_from) });
