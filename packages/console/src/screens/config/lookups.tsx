import { Button, Group, TextInput as MantineTextInput, Switch, Textarea } from '@mantine/core';
import { secretMask } from '@sluice/contract';
import { useParams } from 'react-router';
import { EditorScreen, recordIdOf, Section, useEditor, useField, validateForm } from '../../editor/index.ts';
import { TextAreaInput, TextInput } from '../../fields/index.ts';
import { text, useText } from '../../text/index.ts';
import classes from './config.module.css';
import { Entries } from './entries.tsx';
import {
  emptyLookup,
  type LookupForm,
  nameProblem,
  newLookupName,
  toDraft,
  toForm,
  toRecord,
  withPrivate,
} from './lookup-record.ts';
import { deleteQuery, type LoadedSection, sectionAddress } from './sections.ts';

const permissionTexts = { resources: 'system/lookup', things: 'lookup keys' };

/** The lookup keys of the whole instance (CFG-036…047). */
export function LookupsTab({ section }: { section: LoadedSection }) {
  const t = useText('config');
  const { id = null } = useParams();
  const base = sectionAddress('lookup');
  return (
    <Entries
      base={base}
      data={section.query.data}
      label={t('tabs.lookup')}
      id={id}
      newName={newLookupName}
      texts={{ empty: t('lookup.empty'), noneSelected: t('lookup.noneSelected') }}
      note={(row) => (row.private === true ? t('entries.private') : null)}
    >
      <EditorScreen<LookupForm>
        key={id}
        inPane
        id={id === null ? null : recordIdOf(id)}
        texts="config:lookup"
        resource="lookup"
        base={base}
        permissionTexts={permissionTexts}
        emptyForm={emptyLookup}
        toForm={toForm}
        toRecord={toRecord}
        toDraft={toDraft}
        validate={validate}
        deleteQuery={deleteQuery}
      >
        <LookupFields />
      </EditorScreen>
    </Entries>
  );
}

function validate(form: LookupForm): Record<string, string> {
  const problem = nameProblem(form.name, newLookupName);
  return validateForm('lookup', form, {
    name: { problem: problem && text(problem === 'isNew' ? 'config:lookup.nameIsNew' : 'config:lookup.nameMissing') },
    value: { problem: form.wasSecret && !form.private && form.value === '' && text('config:lookup.publicAgain') },
  });
}

function LookupFields() {
  const t = useText('config');
  const { form } = useEditor<LookupForm>();
  return (
    <Section
      title={t('lookup.section')}
      text={t('lookup.hint', { example: `{${form.values.name.trim() || newLookupName}}` })}
    >
      <TextInput name="name" label={t('lookup.name')} required mono />
      <ValueInput />
      <PrivateSwitch />
      <TextAreaInput name="description" label={t('lookup.description')} />
    </Section>
  );
}

/** The value, of several lines if need be. A stored secret is not shown, only replaced, and taken back as long as it is not saved. */
function ValueInput() {
  const t = useText('config');
  const common = useText('common');
  const { form } = useEditor<LookupForm>();
  const { value, onChange, error, disabled } = useField<string>('value');
  const { wasSecret } = form.values;
  if (wasSecret && value === secretMask) {
    return (
      <MantineTextInput
        label={t('lookup.value')}
        value={secretMask}
        readOnly
        description={common('secretKept')}
        error={error}
        rightSectionWidth="auto"
        rightSection={
          <Button variant="subtle" size="compact-xs" mr="xs" disabled={disabled} onClick={() => onChange('')}>
            {common('secretReplace')}
          </Button>
        }
      />
    );
  }
  return (
    <div>
      <Textarea
        label={t('lookup.value')}
        name="value"
        description={wasSecret && !form.values.private ? t('lookup.publicAgain') : undefined}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error}
        disabled={disabled}
        classNames={{ input: classes.mono ?? '' }}
        autosize
        minRows={2}
        maxRows={12}
        spellCheck={false}
        autoComplete="off"
      />
      {wasSecret && form.values.private ? (
        <Group mt="xs">
          <Button variant="subtle" size="compact-sm" onClick={() => onChange(secretMask)}>
            {common('secretKeep')}
          </Button>
        </Group>
      ) : null}
    </div>
  );
}

function PrivateSwitch() {
  const t = useText('config');
  const { form, isReadOnly } = useEditor<LookupForm>();
  return (
    <Switch
      label={t('lookup.private')}
      description={t('lookup.privateHint')}
      name="private"
      disabled={isReadOnly}
      checked={form.values.private}
      onChange={(event) => form.setValues(withPrivate(form.values, event.currentTarget.checked))}
    />
  );
}
