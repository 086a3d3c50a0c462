import { NumberInput } from '@mantine/core';
import type { Verb } from '@sluice/contract';
import { useParams } from 'react-router';
import { EditorScreen, recordIdOf, Section, useField, validateForm } from '../../editor/index.ts';
import { SwitchInput, TextAreaInput, TextInput, VerbPicker } from '../../fields/index.ts';
import { text, useText } from '../../text/index.ts';
import { type CorsForm, corsVerbs, emptyCors, newCorsPath, pathProblem, toForm, toRecord } from './cors-record.ts';
import { Entries } from './entries.tsx';
import { deleteQuery, type LoadedSection, sectionAddress } from './sections.ts';

const permissionTexts = { resources: 'system/cors', things: 'CORS entries' };
/** The longest a preflight may be remembered: what fits the server's number. */
const maxAge = 2 ** 31 - 1;

/** Which other origins may call this instance from a browser (CFG-014…026). */
export function CorsTab({ section }: { section: LoadedSection }) {
  const t = useText('config');
  const { id = null } = useParams();
  const base = sectionAddress('cors');
  return (
    <Entries
      base={base}
      data={section.query.data}
      label={t('tabs.cors')}
      id={id}
      nameField="path"
      newName={newCorsPath}
      texts={{ empty: t('cors.empty'), noneSelected: t('cors.noneSelected') }}
      note={(row) => (row.enabled === true ? null : t('cors.off'))}
    >
      <EditorScreen<CorsForm>
        key={id}
        inPane
        id={id === null ? null : recordIdOf(id)}
        texts="config:cors"
        resource="cors"
        base={base}
        permissionTexts={permissionTexts}
        nameOf={(form) => form.path}
        emptyForm={emptyCors}
        toForm={toForm}
        toRecord={toRecord}
        toDraft={(form) => form}
        validate={validate}
        deleteQuery={deleteQuery}
      >
        <CorsFields />
      </EditorScreen>
    </Entries>
  );
}

function validate(form: CorsForm): Record<string, string> {
  const problem = pathProblem(form);
  return validateForm('cors', form, {
    path: { problem: problem && text(problem === 'isNew' ? 'config:cors.pathIsNew' : 'config:cors.pathMissing') },
    origin: { label: text('config:cors.origin'), required: true },
  });
}

function CorsFields() {
  const t = useText('config');
  return (
    <>
      <Section title={t('cors.who')} text={t('cors.whoHint')}>
        <TextInput name="path" label={t('cors.path')} description={t('cors.pathHint')} required mono />
        <TextInput name="origin" label={t('cors.origin')} description={t('cors.originHint')} required mono />
        <TextAreaInput name="description" label={t('cors.description')} />
        <SwitchInput name="enabled" label={t('cors.enabled')} description={t('cors.enabledHint')} />
      </Section>
      <Section title={t('cors.what')} text={t('cors.whatHint')}>
        <MethodInput />
        <TextInput name="header" label={t('cors.header')} description={t('cors.headerHint')} mono />
        <TextInput
          name="exposed_header"
          label={t('cors.exposedHeader')}
          description={t('cors.exposedHeaderHint')}
          mono
        />
        <MaxAgeInput />
        <SwitchInput
          name="supports_credentials"
          label={t('cors.supportsCredentials')}
          description={t('cors.supportsCredentialsHint')}
        />
      </Section>
    </>
  );
}

function MethodInput() {
  const t = useText('config');
  const { value, onChange, error, disabled } = useField<Verb[]>('method');
  return (
    <VerbPicker<Verb[]>
      label={t('cors.method')}
      description={t('cors.methodHint')}
      error={error}
      disabled={disabled}
      offeredVerbs={corsVerbs}
      value={value}
      onChange={onChange}
    />
  );
}

function MaxAgeInput() {
  const t = useText('config');
  const { value, onChange, error, disabled } = useField<number | ''>('max_age');
  return (
    <NumberInput
      name="max_age"
      label={t('cors.maxAge')}
      description={t('cors.maxAgeHint')}
      error={error}
      disabled={disabled}
      value={value}
      onChange={(typed) => onChange(typed === '' ? '' : Number(typed))}
      min={0}
      max={maxAge}
      allowDecimal={false}
      allowNegative={false}
    />
  );
}
