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
import { useEffect, useState } from 'react';
import { useBlocker } from 'react-router';
import { ApiError } from '../../api/index.ts';
import { isEmail, minPasswordLength } from '../../session/account-rules.ts';
import { isDefaultAccount } from '../../session/guards.ts';
import { useViewer } from '../../session/viewer.ts';
import { useText } from '../../text/index.ts';
import { confirm, Failed, Loading, notify, Page, Waiting } from '../../ui/index.ts';
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

/** Asks before an address is left that has unsaved changes. */
const useLeaveConfirmation = (isDirty: boolean) => {
  const t = useText('profile');
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isDirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    void confirm({
      title: t('title'),
      message: t('leave'),
      impact: t('leaveImpact'),
      confirmLabel: t('leaveNow'),
      cancelLabel: t('stay'),
      danger: true,
    }).then((isSure) => (isSure ? blocker.proceed() : blocker.reset()));
  }, [blocker, t]);
};

const ProfileForm = ({ loaded }: { loaded: Profile }) => {
  const t = useText('profile');
  const common = useText('common');
  const frameText = useText('frame');
  const queries = useQueryClient();
  const viewer = useViewer();
  const [isWaiting, setWaiting] = useState(false);
  const [errorText, setErrorText] = useState('');
  const requireText = (isRequired: boolean, value: string) => (isRequired && !value.trim() ? t('needField') : null);
  const form = useForm<Values>({
    initialValues: valuesOf(loaded),
    validate: {
      email: (value) => (isEmail(value) ? null : t('needEmail')),
      name: (value) => (value.trim() ? null : t('needName')),
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
  useLeaveConfirmation(form.isDirty());
  const inputPropsOf = (name: keyof Values) => form.getInputProps(name);

  const submit = form.onSubmit(
    async (values) => {
      setWaiting(true);
      setErrorText('');
      const changedProfile = profileOf(loaded, values);
      const passwords = values.setsPassword ? { old: values.old_password, new: values.new_password } : null;
      try {
        await saveProfile(changedProfile, passwords);
        notify.success(passwords ? t('savedBoth') : t('saved'), t('title'));
        form.setInitialValues(valuesOf(changedProfile));
        form.reset();
        void queries.invalidateQueries({ queryKey });
      } catch (error) {
        const isOnlyPasswordSaved = error instanceof PasswordSavedOnly;
        const cause = isOnlyPasswordSaved ? error.profileError : error;
        if (cause instanceof ApiError) {
          for (const [name, messages] of Object.entries(cause.fieldMessages()))
            form.setFieldError(name, messages.join(' '));
        }
        if (isOnlyPasswordSaved) form.setFieldValue('setsPassword', false);
        const summary = isOnlyPasswordSaved ? t('savedPasswordOnly') : (cause as Error).message;
        setErrorText(isOnlyPasswordSaved ? `${summary}\n${error.profileError.message}` : summary);
        notify.error(t('title'), isOnlyPasswordSaved ? summary : cause);
      } finally {
        setWaiting(false);
      }
    },
    (errors) => form.getInputNode(Object.keys(errors)[0] ?? 'email')?.focus(),
  );
  const toggleProps = { 'aria-label': common('showSecret'), tabIndex: 0 };

  return (
    <Waiting isWaiting={isWaiting}>
      <form
        onSubmit={submit}
        noValidate
        onKeyDown={(event) => {
          if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 's') {
            event.preventDefault();
            event.currentTarget.requestSubmit();
          }
        }}
      >
        <Stack gap="lg">
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
              <TextInput label={t('username')} autoComplete="username" {...inputPropsOf('username')} />
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
    </Page>
  );
};
