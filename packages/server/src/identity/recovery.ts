// A new password for somebody who does not know the old one: by a link in a mail, or by the answer to their question
// (contract/sessions-and-accounts.md §5).
import { createHash } from 'node:crypto';
import { fail } from '@sluice/contract';
import { createJobKind, type Jobs } from '../jobs/index.ts';
import { platformActor } from '../records/actor.ts';
import type { RecordEngine } from '../records/index.ts';
import type { Settings } from '../settings/index.ts';
import { folded, type Store } from '../store/index.ts';
import type { AccountMails } from './account-mails.ts';
import { type AccountCall, tokenCutoff, updatePerson } from './accounts.ts';
import { confirmed, createCode, isExpired, isPending, isRightCode, storedCode } from './codes.ts';
import { findUserByLogin, type UserRow } from './directory.ts';
import { hashPassword, verifyPassword } from './passwords.ts';
import { assertNoProblems, findPasswordProblems } from './person-rules.ts';
import type { AccountKind } from './sign-in.ts';
import { queueKeyOf, type Throttle } from './throttle.ts';

/** What proves that it is their account. */
export type Proof = { code: string } | { answer: string };

export interface Recovery {
  /**
   * Asks for a mail with a link to a new password. Answers the security question of those who have one and get no mail; for
   * others the same, in the same time, whether somebody has that login or not.
   */
  request(login: string, call: AccountCall): Promise<{ question: string | undefined }>;
  /** Sets a new password; every token of the person ends, and their address counts as confirmed. Answers whose it is. */
  setPassword(kind: AccountKind, login: string, password: string, proof: Proof, call: AccountCall): Promise<number>;
}

interface RecoveryParts {
  store: Store;
  records: RecordEngine;
  jobs: Jobs;
  mails: AccountMails;
  throttle: Throttle;
  settings: Pick<Settings, 'confirmCodeLength' | 'confirmCodeMinutes' | 'loginAttribute' | 'passwordMin'>;
}

const resetRequest = createJobKind<{ login: string }>('password reset');

/** Milliseconds in which a person gets one mail with a link, however often it is asked for. */
const resetPause = 60_000;

export function createRecovery({ store, records, jobs, mails, throttle, settings }: RecoveryParts): Recovery {
  const attribute = settings.loginAttribute === 'username' ? 'username' : 'email';
  const findPerson = async (login: string): Promise<UserRow | undefined> => {
    const row = await findUserByLogin(store, attribute, login);
    // A mail to the made-up address of somebody who signs in elsewhere would let its reader in instead of them.
    const isExternal = Boolean(row?.oauth_provider || row?.adldap || row?.saml);
    return row?.is_active === 1 && !isExternal ? row : undefined;
  };
  const answersQuestions = (row: UserRow | undefined) => Boolean(row?.security_question && row.security_answer);

  jobs.handle(resetRequest, async ({ login }, { attempt }) => {
    const row = await findPerson(login);
    if (!row || answersQuestions(row)) return;
    const isRecent =
      isPending(row.confirm_code) && Date.now() - Date.parse(String(row.last_modified_date)) < resetPause;
    if (isRecent && attempt === 1) return;
    const gap = await mails.findGap('reset', row.is_sys_admin === 1 ? 'admin' : 'user');
    if (gap) throw new Error(`No email ${gap} is configured for password resets.`);
    const code = createCode(settings.confirmCodeLength);
    await updatePerson(records, row.id, platformActor(), async (_person, db) => {
      await mails.queue({ purpose: 'reset', user: row.id, code }, db);
      return { confirm_code: storedCode(code) };
    });
  });

  return {
    async request(login, call) {
      // Each request counts as a wrong guess: who asks for others again and again is slowed down.
      let row: UserRow | undefined;
      await throttle.judge({ account: `reset ${login}`, address: call.ip, call }, async () => {
        row = await findPerson(login);
        return false;
      });
      if (row && answersQuestions(row)) return { question: row.security_question ?? undefined };
      // For everybody: neither the answer nor its time depends on whether there is such a person.
      const uniqueKey = `password reset ${createHash('sha256').update(folded(login)).digest('base64url')}`;
      await jobs.add(resetRequest, { login }, { uniqueKey });
      return { question: undefined };
    },

    async setPassword(kind, login, password, proof, call) {
      const slot = { queueKey: queueKeyOf(call.ip, login), call };
      let row: UserRow | undefined;
      const isRight = await throttle.judge({ account: login, address: call.ip, call }, async () => {
        row = await findPerson(login);
        if ('code' in proof) return isRightCode(row?.confirm_code ?? null, proof.code);
        const { matches } = await verifyPassword(proof.answer, row?.security_answer, slot);
        return matches && row !== undefined;
      });
      if (!row || !isRight) {
        if ('code' in proof) throw fail('account.codeWrong', { attribute });
        throw row && answersQuestions(row) ? fail('account.answerWrong') : fail('account.answerUnknown', { attribute });
      }
      if ((row.is_sys_admin === 1) !== (kind === 'admin')) throw fail('account.wrongKind', { email: row.email });
      const { id } = row;
      if ('code' in proof && isExpired(row, settings.confirmCodeMinutes)) throw fail('account.codeExpired');
      assertNoProblems(findPasswordProblems(password, settings.passwordMin));
      const hash = await hashPassword(password, slot);
      await updatePerson(records, id, call, (person) => {
        // Of two who use it at once one has used it.
        if ('code' in proof && !isRightCode(person.confirm_code, proof.code))
          throw fail('account.codeWrong', { attribute });
        return { password: hash, confirm_code: confirmed, ...tokenCutoff(person) };
      });
      return id;
    },
  };
}
