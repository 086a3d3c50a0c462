import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { type CodePurpose, setPasswordByAnswer, setPasswordByCode } from '../../api/account.ts';
import { useEnvironment } from '../../api/session-state.ts';
import { SignedOut } from '../../frame/signed-out.tsx';
import { useText } from '../../text/index.ts';
import { type MailLink, useMailLink } from './mail-link.ts';
import { type NewPassword, NewPasswordForm, type Proof } from './new-password-form.tsx';
import { RequestForm } from './request-form.tsx';

/** Whose link it is, as people sign in on this instance. */
const useLoginOf = ({ email, username }: MailLink): string =>
  useEnvironment().authentication.login_attribute === 'username' ? username : email;

/** Sets a password by the code of a mail, for what stands in the form. */
function useCode(purpose: CodePurpose, link: MailLink) {
  const isByUsername = useEnvironment().authentication.login_attribute === 'username';
  return ({ login, proof, password }: NewPassword) => {
    const owner = { ...link, ...(isByUsername ? { username: login } : { email: login }) };
    const { code: _read, ...person } = owner;
    return setPasswordByCode(purpose, person, proof, password);
  };
}

/** The way to a new code from a page of another mail: whatever it was for, the new one sets a password as well. */
const NewMail = ({ login }: { login: string }) => (
  <Anchor component={Link} to="/reset-password" state={{ login }} inherit>
    {useText('session')('account.newMail')}
  </Anchor>
);

/** /reset-password: asks for a mail with a link; with the link's code a new password (SES-017, SES-029, SES-030). */
export const ResetPasswordScreen = () => {
  const t = useText('session');
  const link = useMailLink();
  const { state } = useLocation();
  const isByUsername = useEnvironment().authentication.login_attribute === 'username';
  const linked = useLoginOf(link);
  const [login, setLogin] = useState(() => linked || String((state as { login?: string } | null)?.login ?? ''));
  const [proof, setProof] = useState<Proof | null>(() => (link.code ? { code: link.code } : null));
  const byCode = useCode('reset', link);
  if (!proof)
    return (
      <RequestForm
        login={login}
        onQuestion={(question, person) => {
          setLogin(person);
          setProof({ question });
        }}
        onHasCode={(person) => {
          setLogin(person);
          setProof({ code: '' });
        }}
      />
    );
  const byAnswer = ({ login: person, proof: answer, password }: NewPassword) =>
    setPasswordByAnswer(
      isByUsername ? { username: person } : { email: person },
      'question' in proof ? proof.question : '',
      answer,
      password,
    );
  const isQuestion = 'question' in proof;
  return (
    <SignedOut
      title={t(isQuestion ? 'account.question.title' : 'account.reset.title')}
      hint={t(isQuestion ? 'account.question.hint' : 'account.reset.hint')}
    >
      <NewPasswordForm
        login={login}
        proof={proof}
        submitLabel={t('account.reset.submit')}
        done={t('account.reset.done')}
        setPassword={isQuestion ? byAnswer : byCode}
        newMail={
          !isQuestion && (
            <Anchor component="button" type="button" inherit onClick={() => setProof(null)}>
              {t('account.newMail')}
            </Anchor>
          )
        }
      />
      <Anchor component={Link} to="/login" size="sm">
        {t('account.toLogin')}
      </Anchor>
    </SignedOut>
  );
};

/** /register-confirm: the link in the mail to somebody who registered. */
export const RegisterConfirmScreen = () => {
  const t = useText('session');
  // SES-071.
  const link = useMailLink('/launchpad');
  const login = useLoginOf(link);
  return (
    <SignedOut title={t('account.confirm.title')} hint={t('account.confirm.hint')}>
      <NewPasswordForm
        login={login}
        proof={{ code: link.code }}
        submitLabel={t('account.confirm.submit')}
        done={t('account.confirm.done')}
        setPassword={useCode('register', link)}
        newMail={<NewMail login={login} />}
      />
    </SignedOut>
  );
};

/** /user-invite: the link in an invitation, of a user or of an administrator (SES-018, SES-019). */
export const UserInviteScreen = () => {
  const t = useText('session');
  // SES-071.
  const link = useMailLink('/launchpad');
  const login = useLoginOf(link);
  return (
    <SignedOut title={t('account.invite.title')} hint={t('account.invite.hint')}>
      <NewPasswordForm
        login={login}
        proof={{ code: link.code }}
        submitLabel={t(link.isAdmin ? 'account.invite.submitAdmin' : 'account.invite.submitUser')}
        done={t('account.invite.done')}
        setPassword={useCode('invite', link)}
        newMail={<NewMail login={login} />}
      />
    </SignedOut>
  );
};
