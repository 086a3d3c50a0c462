// What people change about themselves: the password they know, their profile (contract/sessions-and-accounts.md §5, §8).
import { admin, fail, user } from '@sluice/contract';
import { sql, type Updateable } from 'kysely';
import { differences, isSameValue, record, whoOf } from '../audit/index.ts';
import type { Call } from '../call/call.ts';
import type { RecordInput } from '../call/payload.ts';
import { toRecord } from '../resource/fields.ts';
import type { StoredRow } from '../resource/resource.ts';
import type { Settings } from '../settings/index.ts';
import { type Db, type Store, skeletonOf } from '../store/index.ts';
import type { UserTable } from '../store/tables.ts';
import { refuseLookAlike, resemblance } from './addresses.ts';
import type { Leaving } from './fair-queue.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
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
type By = Pick<Call, 'id' | 'caller' | 'ip' | 'userAgent'> & Leaving;

export interface Accounts {
  /** Sets a new password of a person who gave the old one; every token of theirs ends. */
  changePassword(id: number, password: { old: string; new: string }, by: By): Promise<void>;
  profile(id: number): Promise<Profile>;
  /** Writes what is there and not null; tells whether the e-mail changed, which ends every token of theirs. */
  changeProfile(id: number, fields: RecordInput, by: By): Promise<{ emailChanged: boolean }>;
}

interface Parts {
  store: Store;
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

export function createAccounts({ store, settings, throttle }: Parts): Accounts {
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
      await write(store, id, { password: hash }, true, by);
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
      const row = await rowOf(store.db, id);
      const given = Object.fromEntries(
        profileFields.flatMap((name) => (isGiven(fields[name]) ? [[name, fields[name]]] : [])),
      );
      const { values, problems } = await readPerson(store.db, given, row);
      if (row.is_sys_admin === 1) await refuseLookAlike(store.db, values.email, id, problems);
      refuse(problems);
      const answer = values.security_answer;
      if (typeof answer === 'string') {
        const turn = { lane: laneOf(by.ip, row.email), from: by };
        values.security_answer = answer === '' ? null : await hashPassword(answer, turn);
      }
      const update = values as Updateable<UserTable>;
      const emailChanged = update.email !== undefined && update.email !== row.email;
      if (emailChanged) update.email_skeleton = skeletonOf(String(update.email));
      try {
        await write(store, id, update, emailChanged, by);
      } catch (error) {
        // Somebody else took the name between the check and the write.
        if (store.refusal(error)) refuse((await readPerson(store.db, given, row)).problems);
        throw error;
      }
      return { emailChanged };
    },
  };
}

const isGiven = (value: unknown) => value !== undefined && value !== null;

/**
 * Writes a person's row by that person: what differs, stamps, version, the audit, and the end of every token when asked.
 */
async function write(
  store: Store,
  id: number,
  values: Updateable<UserTable>,
  endsTokens: boolean,
  by: By,
): Promise<void> {
  const isChanged = await store.transaction(async (db) => {
    const row = await db
      .selectFrom('user')
      .selectAll()
      .where('id', '=', id)
      // Two changes at once must not end the same tokens only.
      .modifyEnd(store.sql.toChange)
      .executeTakeFirstOrThrow();
    const stored = new Map<string, unknown>(Object.entries(row));
    const isOther = ([name, value]: [string, unknown]) => !isSameValue(value, stored.get(name));
    const changes = Object.fromEntries(Object.entries(values).filter(isOther));
    if (Object.keys(changes).length === 0 && !endsTokens) return false;
    await db
      .updateTable('user')
      .set({
        ...changes,
        last_modified_date: new Date().toISOString(),
        last_modified_by_id: id,
        version: sql`version + 1`,
        ...(endsTokens ? { tokens_valid_from: nextValidFrom(row.tokens_valid_from) } : {}),
      })
      .where('id', '=', id)
      .execute();
    await auditChange(db, row, { ...row, ...changes }, by);
    return true;
  });
  if (isChanged) await store.bus.publish({ table: 'user', ids: [id] });
}

async function auditChange(db: Db, before: StoredRow, after: StoredRow, by: By): Promise<void> {
  const definition = before.is_sys_admin === 1 ? admin : user;
  const [old, now] = [before, after].map((row) => ({ row, record: toRecord(definition, row) })) as [Shown, Shown];
  const found = differences({ definition }, old, now);
  if (!found) return;
  Object.assign(found.after, await resemblance(db, after, before));
  const about = { resource: definition.name, record_id: Number(before.id), record_name: String(after.name) };
  await record(db, { ...whoOf(by), ...about, action: 'update', ...found });
}

type Shown = Parameters<typeof differences>[1];
