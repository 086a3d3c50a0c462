import { Alert } from '@mantine/core';
import { appType } from '@sluice/contract';
import { IconInfoCircle } from '@tabler/icons-react';
import { EditorScreen, editorTabs, Section, useEditor, validateForm } from '../../editor/index.ts';
import { ExplainPanel } from '../../explain/index.ts';
import { LookupKeysInput, lookupKeyErrors, SwitchInput, TextAreaInput, TextInput } from '../../fields/index.ts';
import { text, useText } from '../../text/index.ts';
import { isPageAddress, Page } from '../../ui/index.ts';
import { KeySection } from './api-key.tsx';
import classes from './apps.module.css';
import { appDeleteQuery } from './deletion.ts';
import { ExportButton } from './export/export-button.tsx';
import { LocationSection } from './location.tsx';
import { type AppForm, consoleAppId, emptyApp, exportedApp, locations, toDraft, toForm, toRecord } from './record.ts';
import { RolePicker } from './role-picker.tsx';
import { appEditorRelations, permissionTexts, useAppSources } from './sources.ts';

const tabs = ['info', 'lookups', 'access'] as const;

/** Create or edit an app (APP-007). `id` is null for a new one; `tab` is the tab shown. */
export function AppEditor({ id, tab }: { id: string | null; tab: string }) {
  const t = useText('apps');
  const sources = useAppSources();
  const labels = {
    type: t('location.title'),
    role_id: t('role.label'),
    storage_service_id: t('location.service'),
    storage_container: t('location.folder'),
    path: t('location.path'),
    url: t('location.url'),
    lookup_by_app_id: t('tabs.lookups'),
  };
  if (sources.isForbidden) return <Page title={t('thing')}>{null}</Page>;
  return (
    <EditorScreen<AppForm>
      id={id}
      texts="apps"
      resource="app"
      related={appEditorRelations}
      base="/apps"
      permissionTexts={permissionTexts}
      emptyForm={emptyApp}
      toForm={toForm}
      toRecord={toRecord}
      toDraft={toDraft}
      labels={labels}
      describeValue={(field, value) => {
        if (field === 'role_id') return sources.roles?.find((role) => role.id === value)?.name;
        const place = field === 'type' && locations.find((location) => appType[location] === value);
        return place ? t(`location.types.${place}`) : undefined;
      }}
      validate={validate}
      isDeletable={(form) => form.id !== consoleAppId}
      deleteQuery={(form) => appDeleteQuery([form], false)}
      buttons={({ record }) =>
        record && record.id !== consoleAppId ? <ExportButton app={exportedApp(record)} /> : null
      }
      tabs={(editor) =>
        editorTabs(editor, {
          tabs: tabs.filter((name) => name !== 'access' || !editor.isNew),
          labelOf: (name) => t(`tabs.${name}`),
          tabOf,
        })
      }
    >
      <TabContent tab={tab} {...sources} />
    </EditorScreen>
  );
}

const tabOf = (field: string) => (field.startsWith('lookup_by_app_id') ? 'lookups' : 'info');

/** What is wrong before anything is sent (OPEN-101, OPEN-103). */
function validate(form: AppForm): Record<string, string> {
  const url = form.url.trim();
  return {
    ...lookupKeyErrors('lookup_by_app_id', form.lookup_by_app_id, 'app_id'),
    ...validateForm('app', form, {
      name: { label: text('apps:info.name') },
      storage_service_id: { label: text('apps:location.service'), required: form.type === appType.storage },
      path: { label: text('apps:location.serverPath'), required: form.type === appType.path },
      url: {
        label: text('apps:location.url'),
        required: form.type === appType.url,
        problem:
          form.type === appType.url &&
          !(/^https?:\/\//i.test(url) && isPageAddress(url)) &&
          text('apps:location.urlWrong'),
      },
    }),
  };
}

type TabContentProps = { tab: string } & ReturnType<typeof useAppSources>;

/** The inputs of the tab that is shown; the values of the others stay in the form. */
function TabContent({ tab, ...sources }: TabContentProps) {
  const t = useText('apps');
  const { record } = useEditor<AppForm>();
  if (tab === 'access' && record) return <ExplainPanel subject={{ app_id: Number(record.id) }} />;
  if (tab === 'lookups') {
    return (
      <Section title={t('lookups.title')} text={t('lookups.hint')} wide>
        <LookupKeysInput name="lookup_by_app_id" ownerField="app_id" />
      </Section>
    );
  }
  return (
    <>
      <General />
      <Section title={t('role.title')} text={t('role.hint')}>
        <RolePicker roles={sources.roles} error={sources.rolesError} retry={sources.retry} />
      </Section>
      <LocationSection services={sources.services} error={sources.servicesError} retry={sources.retry} />
      <KeySection />
    </>
  );
}

function General() {
  const t = useText('apps');
  const { record } = useEditor<AppForm>();
  const isOfConsole = record?.id === consoleAppId;
  return (
    <Section title={t('info.title')} text={t('info.hint')}>
      {isOfConsole ? (
        <Alert variant="light" icon={<IconInfoCircle aria-hidden />} className={classes.notice ?? ''} role="note">
          {t('info.ofConsole')}
        </Alert>
      ) : (
        <TextInput name="name" label={t('info.name')} required />
      )}
      <TextAreaInput name="description" label={t('info.description')} description={t('info.descriptionHint')} />
      {isOfConsole ? null : (
        <SwitchInput name="is_active" label={t('info.active')} description={t('info.activeHint')} />
      )}
    </Section>
  );
}
