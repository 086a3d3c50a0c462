import {
  Alert,
  Button,
  Checkbox,
  Group,
  PasswordInput,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/index.ts';
import { isEmail, minPasswordLength } from '../../session/account-rules.ts';
import { isDefaultAccount } from '../../session/guards.ts';
import { SessionList, useHasSessions } from '../../session/session-list.tsx';
import { useViewer } from '../../session/viewer.ts';
import { useText } from '../../text/index.ts';
import { Failed, Loading, leadToError, notify, Page, Waiting } from '../../ui/index.ts';
import { DraftNotice, useDraft, useUnsavedGuard } from '../../unsaved/index.ts';
import classes from './profile.module.css';
import { isExternal, PasswordSavedOnly, type Profile, readProfile, saveProfile } from './profile.ts';

const queryKey = ['profile'];

interface Values {
  username: string;
  email: string;
  first_name: string;
  last_name: string;
  name: string;
  phone: string;
  setsQuestion: boolean;
  security_question: string;
  security_answer: string;
  setsPassword: boolean;
  old_password: string;
  new_password: string;
  verify_password: string;
}

const valuesOf = (profile: Profile): Values => ({
  username: profile.username ?? '',
  email: profile.email ?? '',
  first_name: profile.first_name ?? '',
  last_name: profile.last_name ?? '',
  name: profile.name ?? '',
  phone: profile.phone ?? '',
  setsQuestion: false,
  security_question: profile.security_question ?? '',
  security_answer: '',
  setsPassword: false,
  old_password: '',
  new_password: '',
  verify_password: '',
});

/** Only what the form holds: a name the person emptied is sent empty, since null means "leave it". */
const profileOf = (loaded: Profile, values: Values): Profile => ({
  ...loaded,
  username: values.username.trim(),
  email: values.email.trim(),
  first_name: values.first_name.trim(),
  last_name: values.last_name.trim(),
  name: values.name.trim(),
  phone: values.phone.trim(),
  ...(values.setsQuestion && {
    security_question: values.security_question.trim(),
    security_answer: values.security_answer,
  }),
});

/** What is kept of the form while a session is lost: no password and no answer. */
const toDraft = ({
  old_password: _old,
  new_password: _new,
  verify_password: _verify,
  security_answer: _answer,
  ...values
}: Values) => ({
  ...values,
  setsPassword: false,
});

const ProfileForm = ({ loaded }: { loaded: Profile }) => {
  const t = useText('profile');
  const common = useText('common');
  const frameText = useText('frame');
  const queries = useQueryClient();
  const viewer = useViewer();
  const [isWaiting, setWaiting] = useState(false);
  const [problem, setProblem] = useState<{ text: string; isAboutFields: boolean } | null>(null);
  // PRO-006: what one signs in with cannot be left empty.
  const needsUsername = viewer.environment.authentication.login_attribute === 'username';
  const requireText = (isRequired: boolean, value: string) => (isRequired && !value.trim() ? t('needField') : null);
  const form = useForm<Values>({
    initialValues: valuesOf(loaded),
    validate: {
      email: (value) => (isEmail(value) ? null : t('needEmail')),
      name: (value) => (value.trim() ? null : t('needName')),
      username: (value) => requireText(needsUsername, value),
      security_question: (value, all) => requireText(all.setsQuestion, value),
      security_answer: (value, all) => requireText(all.setsQuestion, value),
      old_password: (value, all) => requireText(all.setsPassword, value),
      new_password: (value, all) =>
        requireText(all.setsPassword, value) ??
        (all.setsPassword && value.length < minPasswordLength ? t('shortPassword') : null),
      verify_password: (value, all) =>
        requireText(all.setsPassword, value) ??
        (all.setsPassword && value !== all.new_password ? t('different') : null),
    },
  });
  const isDirty = form.isDirty();
  const draft = useDraft<Partial<Values>>({
    form: 'profile',
    title: { key: 'profile:title' },
    address: '/profile',
    isDirty,
    typed: form.values,
    toDraft: () => toDraft(form.getValues()),
  });
  const formRef = useRef<HTMLFormElement>(null);
  const inputPropsOf = (name: keyof Values) => form.getInputProps(name);
  // What was refused about fields goes with the last of their errors.
  const errorText = problem?.isAboutFields && Object.keys(form.errors).length === 0 ? '' : problem?.text;

  /** True once it is saved. */
  const save = async (): Promise<boolean> => {
    if (isWaiting) return false;
    const { hasErrors } = await form.validate();
    if (hasErrors) {
      leadToError(() => formRef.current);
      return false;
    }
    const values = form.getValues();
    setWaiting(true);
    setProblem(null);
    const changedProfile = profileOf(loaded, values);
    const passwords = values.setsPassword ? { old: values.old_password, new: values.new_password } : null;
    try {
      await saveProfile(changedProfile, passwords);
      notify.success(passwords ? t('savedBoth') : t('saved'), t('title'));
      form.setInitialValues(valuesOf(changedProfile));
      form.reset();
      draft.forget();
      void queries.invalidateQueries({ queryKey });
      return true;
    } catch (error) {
      const isOnlyPasswordSaved = error instanceof PasswordSavedOnly;
      const cause = isOnlyPasswordSaved ? error.profileError : error;
      const fields = cause instanceof ApiError ? cause.fieldMessages() : {};
      for (const [name, messages] of Object.entries(fields)) form.setFieldError(name, messages.join(' '));
      if (isOnlyPasswordSaved) form.setFieldValue('setsPassword', false);
      const summary = isOnlyPasswordSaved ? t('savedPasswordOnly') : (cause as Error).message;
      setProblem({
        text: isOnlyPasswordSaved ? `${summary}\n${error.profileError.message}` : summary,
        isAboutFields: Object.keys(fields).length > 0,
      });
      notify.error(t('title'), isOnlyPasswordSaved ? summary : cause);
      leadToError(() => formRef.current);
      return false;
    } finally {
      setWaiting(false);
    }
  };
  useUnsavedGuard({
    isDirty,
    isLostBetween: (from, to) => form.isDirty() && from.pathname !== to.pathname,
    question: () => ({ message: t('leave'), impact: t('leaveImpact') }),
    save,
    discard: draft.forget,
  });
  const toggleProps = { 'aria-label': common('showSecret'), tabIndex: 0 };

  return (
    <Waiting isWaiting={isWaiting}>
      <form
        ref={formRef}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        noValidate
        onKeyDown={(event) => {
          if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 's') {
            event.preventDefault();
            event.currentTarget.requestSubmit();
          }
        }}
      >
        <Stack gap="lg">
          {draft.found && (
            <DraftNotice
              restore={() => {
                form.setValues({ ...form.getValues(), ...draft.found?.values });
                draft.dismiss();
              }}
              discard={draft.forget}
            />
          )}
          {isDefaultAccount(viewer) && (
            <Alert color="red" role="alert">
              {frameText('defaultAccount')}
            </Alert>
          )}
          {errorText && (
            <Alert color="red" role="alert" className={classes.problem!}>
              {errorText}
            </Alert>
          )}
          <section className={classes.section}>
            <div className={classes.about}>
              <Title order={2}>{t('about')}</Title>
              <Text c="dimmed">{t('aboutText')}</Text>
            </div>
            <SimpleGrid cols={{ base: 1, sm: 2 }}>
              <TextInput label={t('displayName')} required autoComplete="name" {...inputPropsOf('name')} />
              <TextInput label={t('email')} required type="email" autoComplete="email" {...inputPropsOf('email')} />
              <TextInput label={t('firstName')} autoComplete="given-name" {...inputPropsOf('first_name')} />
              <TextInput label={t('lastName')} autoComplete="family-name" {...inputPropsOf('last_name')} />
              <TextInput
                label={t('username')}
                required={needsUsername}
                autoComplete="username"
                {...inputPropsOf('username')}
              />
              <TextInput label={t('phone')} type="tel" autoComplete="tel" {...inputPropsOf('phone')} />
            </SimpleGrid>
          </section>
          {!isExternal(loaded) && (
            <>
              <section className={classes.section}>
                <div className={classes.about}>
                  <Title order={2}>{t('password')}</Title>
                  <Text c="dimmed">{t('passwordText')}</Text>
                </div>
                <Stack>
                  <Checkbox label={t('setPassword')} {...form.getInputProps('setsPassword', { type: 'checkbox' })} />
                  {form.values.setsPassword && (
                    <>
                      <PasswordInput
                        label={t('oldPassword')}
                        autoComplete="current-password"
                        visibilityToggleButtonProps={toggleProps}
                        {...inputPropsOf('old_password')}
                      />
                      <PasswordInput
                        label={t('newPassword')}
                        autoComplete="new-password"
                        visibilityToggleButtonProps={toggleProps}
                        {...inputPropsOf('new_password')}
                      />
                      <PasswordInput
                        label={t('verifyPassword')}
                        autoComplete="new-password"
                        visibilityToggleButtonProps={toggleProps}
                        {...inputPropsOf('verify_password')}
                      />
                    </>
                  )}
                </Stack>
              </section>
              <section className={classes.section}>
                <div className={classes.about}>
                  <Title order={2}>{t('question')}</Title>
                  <Text c="dimmed">{t('questionText')}</Text>
                </div>
                <Stack>
                  <Checkbox label={t('setQuestion')} {...form.getInputProps('setsQuestion', { type: 'checkbox' })} />
                  {form.values.setsQuestion && (
                    <>
                      <TextInput label={t('questionField')} autoComplete="off" {...inputPropsOf('security_question')} />
                      <PasswordInput
                        label={t('answerField')}
                        description={t('answerHelp')}
                        autoComplete="off"
                        visibilityToggleButtonProps={toggleProps}
                        {...inputPropsOf('security_answer')}
                      />
                    </>
                  )}
                </Stack>
              </section>
            </>
          )}
          <Group className={classes.bar}>
            <Button type="submit">{common('save')}</Button>
            {form.isDirty() && (
              <Button variant="default" onClick={() => form.reset()}>
                {common('cancel')}
              </Button>
            )}
          </Group>
        </Stack>
      </form>
    </Waiting>
  );
};

const ownSessions = 'user/_sessions';

/** Where one is signed in. Older servers do not say. */
function OwnSessions() {
  const t = useText('sessions');
  if (!useHasSessions(ownSessions)) return null;
  return (
    <section className={`${classes.section} ${classes.sessions}`}>
      <div className={classes.about}>
        <Title order={2}>{t('title')}</Title>
        <Text c="dimmed">{t('ownHint')}</Text>
      </div>
      <SessionList path={ownSessions} isOwn />
    </section>
  );
}

/** /profile: one's own account (PRO-001). */
export const ProfileScreen = () => {
  const t = useText('profile');
  const profileQuery = useQuery({ queryKey, queryFn: readProfile, staleTime: Number.POSITIVE_INFINITY });
  const { error } = profileQuery;
  useEffect(() => {
    if (error) notify.error(t('title'), t('loadError'));
  }, [error, t]);
  return (
    <Page title={t('title')} width="narrow">
      {profileQuery.isPending && <Loading shape="form" />}
      {error && <Failed error={error} title={t('loadError')} onRetry={() => profileQuery.refetch()} />}
      {profileQuery.data && <ProfileForm loaded={profileQuery.data} />}
      {profileQuery.data && <OwnSessions />}
    </Page>
  );
};
