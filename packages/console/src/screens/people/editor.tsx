import { Alert, SimpleGrid } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { currentSession, updateSession, useEnvironment, useSession } from '../../api/index.ts';
import { EditorScreen, editorTabs, Section, useEditor, validateForm } from '../../editor/index.ts';
import { ExplainPanel } from '../../explain/index.ts';
import { LookupKeysInput, lookupKeyErrors, PickSelect, SwitchInput, TextInput } from '../../fields/index.ts';
import { type Row, useForbidden } from '../../list/index.ts';
import { SessionList, useHasSessions } from '../../session/session-list.tsx';
import { text, useText } from '../../text/index.ts';
import { Failed, Loading, Page } from '../../ui/index.ts';
import {
  type AppRole,
  baseOf,
  emptyPerson,
  type PeopleKind,
  type PersonForm,
  permissionTextsOf,
  relationsOf,
  signInProblems,
  toDraft,
  toForm,
  toRecord,
} from './person.ts';
import { RolesPerApp } from './roles-per-app.tsx';
import { SignInSection } from './sign-in-section.tsx';
import { type ChoiceRecord, useChoices } from './sources.ts';

/** Create or edit an administrator or a user. `id` is null for a new one; `tab` is the tab shown (OPEN-085). */
export function PersonEditor({ kind, id, tab }: { kind: PeopleKind; id: string | null; tab: string }) {
  const t = useText('people');
  const { roles, apps, error, retry } = useChoices(kind === 'user');
  const isForbidden = useForbidden(error, t('user.title'), 'user', permissionTextsOf.user);
  const needsUsername = useEnvironment().authentication.login_attribute === 'username';

  if (kind === 'user' && !(roles && apps)) {
    return (
      <Page title={t(`${kind}.thing`)}>
        {isForbidden ? null : error ? (
          <Failed error={error} title={t(`${kind}.loadFailed`)} onRetry={retry} />
        ) : (
          <Loading shape="form" />
        )}
      </Page>
    );
  }

  return (
    <EditorScreen<PersonForm>
      id={id}
      texts={`people:${kind}`}
      resource={kind}
      related={relationsOf[kind]}
      base={baseOf[kind]}
      permissionTexts={permissionTextsOf[kind]}
      emptyForm={emptyPerson}
      toForm={toForm}
      toRecord={(form) => toRecord(form, kind)}
      toDraft={toDraft}
      createQuery={({ sendInvite }) => ({ send_invite: sendInvite })}
      onSaved={updateOwnSession}
      validate={(form) => validate(form, kind, needsUsername)}
      nameOf={(form) => form.name || form.email}
      warning={(form) => (form.id === currentSession()?.id ? t('deleteMe') : null)}
      labels={{
        ...Object.fromEntries(profileFields.map((field) => [field, t(`profile.${field}`)])),
        is_active: t('profile.active'),
        default_app_id: t('defaultApp.label'),
        user_to_app_to_role_by_user_id: t('roles.title'),
        lookup_by_user_id: t('lookups.title'),
        setPassword: t('signIn.setPassword'),
        password: t('signIn.password'),
        verify: t('signIn.verify'),
      }}
      describeValue={(field, value) => {
        const choiceName = (choices: readonly ChoiceRecord[] | undefined, id: number | null) =>
          choices?.find((choice) => choice.id === id)?.name ?? String(id);
        if (field === 'default_app_id' && value !== null) return choiceName(apps, value as number);
        if (field !== 'user_to_app_to_role_by_user_id') return undefined;
        const { app_id, role_id } = value as AppRole;
        return `${choiceName(apps, app_id)}: ${choiceName(roles, role_id)}`;
      }}
      tabs={(editor) =>
        editorTabs(editor, { tabs: tabsOf(kind, editor.isNew), labelOf: (name) => t(`tabs.${name}`), tabOf })
      }
    >
      <TabContent kind={kind} tab={tab} needsUsername={needsUsername} roles={roles ?? []} apps={apps ?? []} />
    </EditorScreen>
  );
}

const profileFields = ['email', 'phone', 'first_name', 'last_name', 'name', 'username'] as const;

type Part = 'info' | 'roles' | 'lookups' | 'access';

/** The server explains what someone may do, and has to know them first. */
const tabsOf = (kind: PeopleKind, isNew: boolean): Part[] => [
  'info',
  ...(kind === 'user' ? (['roles'] as const) : []),
  'lookups',
  ...(isNew ? [] : (['access'] as const)),
];

const tabOf = (field: string): Part =>
  field.startsWith('lookup_by_user_id')
    ? 'lookups'
    : field.startsWith('user_to_app_to_role_by_user_id')
      ? 'roles'
      : 'info';

/** A person who changed themselves goes on under the new name, and with the token the response may bring (C-PPL-03, OPEN-099). */
function updateOwnSession(saved: Row): void {
  const { id, name, first_name, last_name, email, session_token } = saved as Partial<PersonForm>;
  if (id === undefined || id !== currentSession()?.id) return;
  updateSession({
    ...(name ? { name } : {}),
    ...(email ? { email } : {}),
    first_name: first_name ?? '',
    last_name: last_name ?? '',
    ...(typeof session_token === 'string' && session_token !== '' ? { session_token } : {}),
  });
}

function validate(form: PersonForm, kind: PeopleKind, needsUsername: boolean): Record<string, string> {
  const password = text('people:signIn.password');
  const signIn = Object.entries(signInProblems(form)).map(([field, problem]) => [
    field,
    problem === 'missing' ? text('editor:required', { label: password }) : text(`people:signIn.${problem}`),
  ]);
  return {
    ...lookupKeyErrors('lookup_by_user_id', form.lookup_by_user_id, 'user_id'),
    ...validateForm(kind, form, {
      email: { label: text('people:profile.email') },
      // Left empty, it is the e-mail address where people sign in by that.
      username: { label: text('people:profile.username'), required: needsUsername },
    }),
    ...Object.fromEntries(signIn),
  };
}

interface TabContentProps {
  kind: PeopleKind;
  tab: string;
  needsUsername: boolean;
  roles: readonly ChoiceRecord[];
  apps: readonly ChoiceRecord[];
}

/** The inputs of the tab that is shown; the values of the others stay in the form. */
function TabContent({ kind, tab, needsUsername, roles, apps }: TabContentProps) {
  const t = useText('people');
  const { id } = useEditor<PersonForm>();
  if (tab === 'lookups') {
    return (
      <Section title={t('lookups.title')} text={t('lookups.hint')} wide>
        <LookupKeysInput name="lookup_by_user_id" ownerField="user_id" emptyText={t(`${kind}.noLookups`)} />
      </Section>
    );
  }
  if (tab === 'roles' && kind === 'user') return <RolesPerApp roles={roles} apps={apps} />;
  if (tab === 'access' && id !== null) return <ExplainPanel subject={{ user_id: Number(id) }} />;
  return (
    <>
      <Profile needsUsername={needsUsername} />
      <SignInSection kind={kind} />
      {kind === 'user' ? <DefaultApp apps={apps} /> : null}
      {id === null ? null : <Sessions path={`system/${kind}/${id}/_sessions`} />}
    </>
  );
}

function Profile({ needsUsername }: { needsUsername: boolean }) {
  const t = useText('people');
  const { id, record } = useEditor<PersonForm>();
  const isMe = id === String(useSession()?.id);
  return (
    <Section title={t('profile.title')} text={t('profile.hint')}>
      {typeof record?.resembles === 'string' ? (
        <Alert variant="light" color="red" p="xs" icon={<IconAlertTriangle aria-hidden />} role="status">
          {t('resembles.text', { email: record.resembles })}
        </Alert>
      ) : null}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput name="email" label={t('profile.email')} required />
        <TextInput name="phone" label={t('profile.phone')} />
        <TextInput name="first_name" label={t('profile.first_name')} />
        <TextInput name="last_name" label={t('profile.last_name')} />
        <TextInput name="name" label={t('profile.name')} description={t('profile.nameHint')} />
        <TextInput
          name="username"
          label={t('profile.username')}
          description={t(needsUsername ? 'profile.usernameRequired' : 'profile.usernameOptional')}
          required={needsUsername}
        />
      </SimpleGrid>
      <SwitchInput
        name="is_active"
        label={t('profile.active')}
        description={t(isMe ? 'profile.activeSelf' : 'profile.activeHint')}
      />
    </Section>
  );
}

/** Where they are signed in. Older servers do not say. */
function Sessions({ path }: { path: string }) {
  const t = useText('sessions');
  const { isReadOnly } = useEditor<PersonForm>();
  if (!useHasSessions(path)) return null;
  return (
    <Section title={t('title')} text={t('hint')}>
      <SessionList path={path} isOwn={false} isReadOnly={isReadOnly} />
    </Section>
  );
}

/** OPEN-091. */
function DefaultApp({ apps }: { apps: readonly ChoiceRecord[] }) {
  const t = useText('people');
  const { form, isReadOnly } = useEditor<PersonForm>();
  return (
    <Section title={t('defaultApp.title')} text={t('defaultApp.hint')}>
      <PickSelect
        label={t('defaultApp.label')}
        placeholder={t('defaultApp.none')}
        error={form.errors.default_app_id}
        disabled={isReadOnly}
        value={form.values.default_app_id}
        options={apps.map(({ id, name }) => ({ label: name, name: id }))}
        onChange={(id) => form.setFieldValue('default_app_id', id as number | null)}
      />
    </Section>
  );
}
