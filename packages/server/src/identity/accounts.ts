// What people change about themselves: their password, when they know the old one, and their profile
// (contract/sessions-and-accounts.md §5, §8).
import { fail } from '@sluice/contract';
import type { Updateable } from 'kysely';
import type { Call } from '../call/call.ts';
import { type RecordInput, stringifyInput } from '../call/payload.ts';
import type { RecordEngine } from '../records/index.ts';
import { updateRow } from '../records/write-row.ts';
import type { Actor } from '../resource/resource.ts';
import type { Settings } from '../settings/index.ts';
import { type Db, type Store, skeletonOf } from '../store/index.ts';
import type { UserTable } from '../store/tables.ts';
import { addLookAlikeProblem } from './addresses.ts';
import type { UserRow } from './directory.ts';
import type { Abortable } from './fair-queue.ts';
import { type HashSlot, hashPassword, isHashable, verifyPassword } from './passwords.ts';
import { assertNoProblems, findPasswordProblems, readPerson } from './person-rules.ts';
import { nextValidFrom } from './revoked.ts';
import { queueKeyOf, type Throttle } from './throttle.ts';

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
export type AccountCall = Pick<Call, 'id' | 'caller' | 'service' | 'baseUrl' | 'ip' | 'userAgent' | 'memory'> &
  Abortable;

export interface Accounts {
  /** Sets a new password for a person who sent the old one; every token of theirs ends. */
  changePassword(id: number, password: { old: string; new: string }, call: AccountCall): Promise<void>;
  profile(id: number): Promise<Profile>;
  /** Writes fields that are present and not null; answers whether the e-mail changed, which ends every token of theirs. */
  changeProfile(id: number, fields: RecordInput, call: AccountCall): Promise<{ isEmailChanged: boolean }>;
}

interface AccountsParts {
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

export function createAccounts({ store, records, settings, throttle }: AccountsParts): Accounts {
  const requireUserRow = async (db: Db, id: number) => {
    const row = await db.selectFrom('user').selectAll().where('id', '=', id).executeTakeFirst();
    if (!row) throw fail('session.userGone');
    return row;
  };

  /** A stolen token must not help to guess the password, so guesses count as failed sign-ins do. */
  const requirePassword = async (password: string, row: UserRow, call: AccountCall): Promise<HashSlot> => {
    const slot = { queueKey: queueKeyOf(call.ip, row.email), call };
    const isRight = await throttle.judge({ account: row.email, address: call.ip, call }, async () => {
      const { matches } = await verifyPassword(password, row.password, slot);
      return matches;
    });
    if (!isRight) throw fail('account.oldPasswordWrong');
    return slot;
  };

  return {
    async changePassword(id, password, call) {
      const row = await requireUserRow(store.db, id);
      const slot = await requirePassword(password.old, row, call);
      assertNoProblems(findPasswordProblems(password.new, settings.passwordMin));
      const hash = await hashPassword(password.new, slot);
      await updatePerson(records, id, call, (person) => ({ password: hash, ...tokenCutoff(person) }));
    },

    async profile(id) {
      const row = await requireUserRow(store.db, id);
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

    async changeProfile(id, fields, call) {
      const input = Object.fromEntries(
        profileFields.flatMap((name) => (isPresent(fields[name]) ? [[name, fields[name]]] : [])),
      );
      // The contract requires none; a caller who sends one wants it to count.
      const password = fields.old_password ?? fields.current_password;
      if (isPresent(password))
        await requirePassword(stringifyInput(password), await requireUserRow(store.db, id), call);
      let securityAnswerHash: string | null | undefined;
      if (input.security_answer !== undefined) {
        const row = await requireUserRow(store.db, id);
        // Nothing is hashed for a profile that is refused.
        await readProfile(store.db, input, row);
        const slot = { queueKey: queueKeyOf(call.ip, row.email), call };
        securityAnswerHash = await hashSecurityAnswer(input.security_answer, slot);
      }
      let isEmailChanged = false;
      await updatePerson(records, id, call, async (row, db) => {
        const columns = {
          ...(await readProfile(db, input, row)),
          ...(securityAnswerHash === undefined ? {} : { security_answer: securityAnswerHash }),
        } as Updateable<UserTable>;
        isEmailChanged = columns.email !== undefined && columns.email !== row.email;
        if (!isEmailChanged) return columns;
        return { ...columns, email_skeleton: skeletonOf(String(columns.email)), ...tokenCutoff(row) };
      });
      return { isEmailChanged };
    },
  };
}

/** The fields of a profile, converted and checked; throws `record.invalid` with all that is wrong with them. */
async function readProfile(db: Db, input: RecordInput, row: UserRow): Promise<RecordInput> {
  const { values, problems } = await readPerson(db, input, row);
  if (row.is_sys_admin === 1) await addLookAlikeProblem(db, values.email, row.id, problems);
  assertNoProblems(problems);
  return values;
}

/** The hash of a security answer, null for an empty one; undefined for an input that `readPerson` refuses. */
async function hashSecurityAnswer(securityAnswer: unknown, slot: HashSlot): Promise<string | null | undefined> {
  if (typeof securityAnswer !== 'string' || !isHashable(securityAnswer)) return undefined;
  return securityAnswer === '' ? null : hashPassword(securityAnswer, slot);
}

const isPresent = (value: unknown) => value !== undefined && value !== null;

/** Writes the columns that `change` answers for a person's row, in the name of that person. */
export async function updatePerson(
  records: RecordEngine,
  id: number,
  call: Actor,
  change: (row: UserRow, db: Db) => Promise<Updateable<UserTable>> | Updateable<UserTable>,
): Promise<void> {
  await records.transaction(call, async (transaction) => {
    const { db, store, resourceOf } = transaction;
    // Locked: otherwise two changes at once would end the same tokens only.
    const row = await db
      .selectFrom('user')
      .selectAll()
      .where('id', '=', id)
      .modifyEnd(store.sql.forUpdate)
      .executeTakeFirst();
    if (!row) throw fail('session.userGone');
    const columns = await change(row, db);
    await updateRow(resourceOf(row.is_sys_admin === 1 ? 'admin' : 'user'), { ...row }, columns, transaction);
  });
}

/** The column that ends every token of a person. */
export const tokenCutoff = ({ tokens_valid_from }: UserRow) => ({
  tokens_valid_from: nextValidFrom(tokens_valid_from),
});
