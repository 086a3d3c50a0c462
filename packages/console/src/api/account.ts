// What somebody who is not signed in does about their account: a new password, a registration (contract/sessions-and-accounts.md §5, §7).
import { send } from './send.ts';
import { userThenAdmin } from './session.ts';

/** Whose account it is: by what people sign in with on this instance. */
export type Login = { email: string } | { username: string };

const passwordPath = (isAdmin: boolean): string => (isAdmin ? 'system/admin/password' : 'user/password');

/** Asks for a mail with a link to a new password. Answers the security question of those who have one and get no mail (SES-083). */
export const requestReset = async (login: Login): Promise<string | null> => {
  const options = { query: { reset: true }, body: { ...login, reset: true } };
  const answer = await userThenAdmin((isAdmin) => send('POST', passwordPath(isAdmin), options, null));
  return (answer as { security_question?: string } | null)?.security_question ?? null;
};

/** Sets a new password by the answer to the security question (SES-084). */
export const setPasswordByAnswer = async (login: Login, question: string, answer: string, password: string) => {
  const body = { ...login, security_question: question, security_answer: answer, new_password: password };
  await userThenAdmin((isAdmin) => send('POST', passwordPath(isAdmin), { query: { login: false }, body }, null));
};

/** What mails with a code are about. */
export type CodePurpose = 'reset' | 'register' | 'invite';

/** Who a code is for, as the link in the mail names them. */
export interface CodeOwner {
  email: string;
  username: string;
  isAdmin: boolean;
}

/** Sets a password by the code of a mail (SES-085, SES-087); for a forgotten one the other kind of account is tried too (SES-086). */
export const setPasswordByCode = async (
  purpose: CodePurpose,
  { isAdmin, ...login }: CodeOwner,
  code: string,
  password: string,
) => {
  const options = { query: { login: false }, body: { ...login, code, new_password: password } };
  const post = (asAdmin: boolean) => send('POST', passwordPath(asAdmin), options, null);
  await (purpose === 'reset' && !isAdmin ? userThenAdmin(post) : post(isAdmin));
};

export interface Registrant {
  email: string;
  username: string;
  first_name: string;
  last_name: string;
  name: string;
  /** The password, twice (SES-053). Absent where a mail confirms the registration: it is chosen then. */
  new_password?: string;
  verify_password?: string;
}

/** Registers somebody (SES-088). What was left empty is not sent, so that the server fills it in. */
export const register = async (person: Registrant): Promise<void> => {
  const body = Object.fromEntries(Object.entries(person).filter(([, value]) => value !== ''));
  await send('POST', 'user/register', { query: { login: false }, body }, null);
};
