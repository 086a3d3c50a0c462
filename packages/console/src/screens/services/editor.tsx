import { Alert, Button, Group } from '@mantine/core';
import { editableDefinitionTypes, type FieldDescriptor, isInGroup, type ServiceRecord } from '@sluice/contract';
import { IconInfoCircle, IconLock, IconPlugOff } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { useEnvironment } from '../../api/index.ts';
import { EditorScreen, editorTabs, Section, useEditor, validateForm } from '../../editor/index.ts';
import {
  ConfigForm,
  configOf,
  labelOf,
  missingFields,
  SwitchInput,
  TextAreaInput,
  TextInput,
  useLinkableServices,
} from '../../fields/index.ts';
import { useForbidden } from '../../list/index.ts';
import { useUpgradeAddress } from '../../session/upgrade.ts';
import { text, useText } from '../../text/index.ts';
import { Empty, Failed, Loading, Page } from '../../ui/index.ts';
import { configParts, remoteFields, secretsToRetype } from './config-parts.ts';
import { ConnectionTest, type TestRunState, useConnectionTest } from './connection-test.tsx';
import { showCreated } from './created.tsx';
import { DefinitionTab } from './definition-tab.tsx';
import { emptyService, namePattern, type ServiceForm, toDraft, toForm, toRecord, withType } from './record.ts';
import classes from './services.module.css';
import { ShortWay } from './short-way/index.tsx';
import { permissionTexts, serviceRelations, useServiceTypes } from './sources.ts';
import { ChosenType, TypeChooser } from './type-chooser.tsx';
import type { OfferedType } from './types.ts';

const tabs = ['info', 'config', 'definition'] as const;

/** Create or edit a service (SVC-004…006). `id` is null for a new one; `tab` is the tab shown. */
export function ServiceEditor({ id, tab }: { id: string | null; tab: string }) {
  const t = useText('services');
  const { types, error, retry } = useServiceTypes();
  const isForbidden = useForbidden(error, t('title'), 'service', permissionTexts);
  const { linkable } = useLinkableServices();
  const testRun = useState<TestRunState[0]>(null);
  const schemaOf = useMemo(() => {
    const byName = new Map(types?.map((type) => [type.name, type.config_schema ?? []]));
    return (type: string) => byName.get(type) ?? [];
  }, [types]);

  if (!types) {
    return (
      <Page title={t('thing')}>
        {isForbidden ? null : error ? (
          <Failed error={error} title={t('loadFailed')} onRetry={retry} />
        ) : (
          <Loading shape="form" />
        )}
      </Page>
    );
  }

  const typeOf = (form: ServiceForm) => types.find((type) => type.name === form.type);
  const linkedType = (form: ServiceForm) =>
    linkable.find((service) => service.id === form.config.storage_service_id)?.type;

  return (
    <EditorScreen<ServiceForm>
      id={id}
      texts="services"
      resource="service"
      related={serviceRelations}
      base="/services"
      permissionTexts={permissionTexts}
      emptyForm={emptyService}
      toForm={(record) => toForm(record, types)}
      toRecord={(form) => toRecord(form, linkedType(form))}
      toDraft={(form) => toDraft(form, schemaOf(form.type))}
      validate={(form) => validate(form, schemaOf(form.type))}
      fieldOf={(field, form) => fieldOf(field, schemaOf(form.type))}
      nameOf={(form) => form.label || form.name}
      labels={{
        name: t('info.name'),
        label: t('info.label'),
        description: t('info.description'),
        is_active: t('info.active'),
        'definition.content': t('definition.title'),
      }}
      isDeletable={(form) => form.deletable !== false}
      canSave={(form) => form.type !== '' && typeOf(form)?.available !== false}
      onSaved={(saved) => {
        if (id === null) showCreated(saved as unknown as ServiceRecord);
      }}
      above={id === null && tab !== 'definition' ? <ShortWay types={types} tab={tab} testRun={testRun} /> : null}
      tabs={(editor) => editorTabs(editor, { tabs, labelOf: (name) => t(`tabs.${name}`), tabOf })}
    >
      <TabContent tab={tab} types={types} testRun={testRun} />
    </EditorScreen>
  );
}

const tabOf = (field: string) =>
  field.startsWith('config.') ? 'config' : field.startsWith('definition') ? 'definition' : 'info';

type Schema = readonly FieldDescriptor[];

/** What is wrong before anything is sent: OPEN-142, and what the type's schema requires. */
function validate(form: ServiceForm, schema: Schema): Record<string, string> {
  const missing = missingFields(schema, form.config).map((name) => {
    const field = schema.find((descriptor) => descriptor.name === name);
    return [`config.${name}`, text('editor:required', { label: field ? labelOf(field) : name })];
  });
  return {
    ...validateForm('service', form, {
      name: {
        label: text('services:info.name'),
        problem: !namePattern.test(form.name) && text('services:info.namePattern'),
      },
      label: { label: text('services:info.label'), required: true },
    }),
    ...Object.fromEntries(missing),
  };
}

/** Servers name a config field plainly or below `config`; fields of the service itself come first. */
function fieldOf(name: string, schema: Schema): string {
  if (name.startsWith('config.')) return name;
  const isOwn = ['name', 'label', 'description', 'type', 'is_active'].includes(name);
  return !isOwn && schema.some((field) => field.name === name) ? `config.${name}` : name;
}

interface TabContentProps {
  tab: string;
  types: readonly OfferedType[];
  testRun: TestRunState;
}

/** The inputs of the tab that is shown; the values of the others stay in the form. */
function TabContent({ tab, types, testRun }: TabContentProps) {
  const { form } = useEditor<ServiceForm>();
  const type = types.find((offered) => offered.name === form.values.type);
  if (type && !type.available) return <Unavailable type={type} />;
  if (tab === 'config') return <ConfigTab type={type} testRun={testRun} />;
  if (tab === 'definition') return <DefinitionSection />;
  return <InfoTab types={types} type={type} />;
}

interface InfoTabProps {
  types: readonly OfferedType[];
  type: OfferedType | undefined;
}

function InfoTab({ types, type }: InfoTabProps) {
  const t = useText('services');
  const { form, isNew } = useEditor<ServiceForm>();
  const choose = (next: OfferedType | null) =>
    form.setValues(next ? withType(form.values, next) : { ...form.values, type: '' });

  if (isNew && form.values.type === '') {
    return (
      <Section title={t('info.chooseType')} text={t('info.typeHint')} wide>
        <TypeChooser types={types} chosen={form.values.type} onChoose={choose} />
      </Section>
    );
  }
  return (
    <>
      <Section title={t('info.type')} text={t('info.typeHint')}>
        <ChosenType
          name={form.values.type}
          group={type?.group}
          label={type?.label ?? form.values.type}
          description={type ? type.description : t('info.unknownType', { type: form.values.type })}
          onChange={isNew ? () => choose(null) : undefined}
        />
      </Section>
      <Section title={t('info.general')} text={t('info.generalHint')}>
        <TextInput
          name="name"
          label={t('info.name')}
          description={t('info.nameHint', { name: form.values.name || '…' })}
          required
          mono
        />
        <TextInput name="label" label={t('info.label')} description={t('info.labelHint')} required />
        <TextAreaInput name="description" label={t('info.description')} description={t('info.descriptionHint')} />
        <SwitchInput name="is_active" label={t('info.active')} description={t('info.activeHint')} />
      </Section>
    </>
  );
}

function ConfigTab({ type, testRun }: { type: OfferedType | undefined; testRun: TestRunState }) {
  const t = useText('services');
  const { form, record, address } = useEditor<ServiceForm>();
  const ip = useEnvironment()?.server?.ip;
  const connection = useConnectionTest(testRun);
  if (!type) {
    return (
      <Empty
        title={t('config.chooseFirst')}
        action={
          <Button component={Link} to={address} variant="default">
            {t('config.toInfo')}
          </Button>
        }
      />
    );
  }
  const schema = type.config_schema ?? [];
  if (schema.length === 0) return <Empty title={t('config.none')} />;
  const errors = Object.entries(form.errors)
    .filter(([field]) => field.startsWith('config.'))
    .map(([field, error]) => [field.slice('config.'.length), error]);
  const isTested = isInGroup(type, 'Database') || isInGroup(type, 'LDAP');
  const stored = record ? configOf(record.config) : null;
  const retypedSecrets = secretsToRetype(schema, stored, form.values.config);
  const isRemote = schema.some((field) => remoteFields.includes(field.name));
  return configParts(schema, type.group).map(({ part, fields }) => (
    <Section key={part} title={t(`config.${part}.title`)} text={t(`config.${part}.hint`)} wide>
      {part === 'connection' && isRemote && typeof ip === 'string' && ip !== '' ? (
        <Alert variant="light" p="xs" className={classes.hint ?? ''} icon={<IconInfoCircle aria-hidden />}>
          {t('config.address', { ip })}
        </Alert>
      ) : null}
      <ConfigForm
        schema={fields}
        value={form.values.config}
        onChange={(config) => form.setFieldValue('config', config)}
        stored={stored}
        errors={{ ...connection.errors, ...Object.fromEntries(errors) }}
        service={{ type: form.values.type, name: form.values.name }}
        title={t('title')}
      />
      {part === 'connection' && retypedSecrets.length > 0 ? (
        <Alert variant="light" p="xs" className={classes.hint ?? ''} icon={<IconInfoCircle aria-hidden />}>
          {t('config.secretAgain', { fields: retypedSecrets.map(labelOf).join(', ') })}
        </Alert>
      ) : null}
      {part === 'connection' && isTested ? <ConnectionTest {...connection} /> : null}
    </Section>
  ));
}

function DefinitionSection() {
  const t = useText('services');
  const { form } = useEditor<ServiceForm>();
  const { type } = form.values;
  const isEditable = editableDefinitionTypes.includes(type);
  const hint = isEditable ? t('definition.hint') : t('definition.readOnly');
  return (
    <Section title={t('definition.title')} text={type === '' ? t('config.chooseFirst') : hint} wide>
      <DefinitionTab />
    </Section>
  );
}

/** A type that cannot be had: why, and nothing to fill in (OPEN-141). */
function Unavailable({ type }: { type: OfferedType }) {
  const t = useText('services');
  const { form, isNew } = useEditor<ServiceForm>();
  const upgrade = useUpgradeAddress();
  const isMissing = type.hindrance === 'missing';
  const reasons = isMissing
    ? [t('missing.title', { type: type.label }), t('missing.hint')]
    : [t('tier.needs', { tier: type.subscription_required ?? '' }), t('tier.contact')];
  return (
    <Empty
      icon={isMissing ? IconPlugOff : IconLock}
      title={type.label}
      text={reasons.join('\n')}
      action={
        <Group justify="center" gap="xs">
          {isNew ? (
            <Button variant="default" onClick={() => form.setValues({ ...form.values, type: '' })}>
              {t('info.changeType')}
            </Button>
          ) : null}
          {upgrade && !isMissing ? (
            <Button component="a" href={upgrade} target="_blank" rel="noopener noreferrer">
              {t('tier.upgrade')}
            </Button>
          ) : null}
        </Group>
      }
    />
  );
}
