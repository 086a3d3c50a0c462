import { SegmentedControl, TagsInput, Text } from '@mantine/core';
import { useId, useState } from 'react';
import { Section, useEditor, useField } from '../../editor/index.ts';
import { RowTable, TextAreaInput, TextInput } from '../../fields/index.ts';
import { useText } from '../../text/index.ts';
import { CodeEditor, copyText, dropDownProps, HeadRow, notify } from '../../ui/index.ts';
import classes from './config.module.css';
import { placeholders } from './placeholders.ts';
import { SendToMe, TemplatePreview } from './template-preview.tsx';
import type { AddressList, Default, TemplateForm } from './template-record.ts';

/** The form of an e-mail template (OPEN-078). */
export function TemplateFields() {
  const t = useText('config');
  return (
    <>
      <Section title={t('template.general')} text={t('template.generalHint')}>
        <TextInput name="name" label={t('template.name')} required />
        <TextAreaInput name="description" label={t('template.description')} />
      </Section>
      <Section title={t('template.addresses')} text={t('template.addressesHint')}>
        <AddressInput name="to" label={t('template.to')} />
        <AddressInput name="cc" label={t('template.cc')} />
        <AddressInput name="bcc" label={t('template.bcc')} />
        <div className={classes.pair}>
          <TextInput name="from_name" label={t('template.fromName')} />
          <TextInput name="from_email" label={t('template.fromEmail')} />
        </div>
        <div className={classes.pair}>
          <TextInput name="reply_to_name" label={t('template.replyName')} />
          <TextInput name="reply_to_email" label={t('template.replyEmail')} />
        </div>
      </Section>
      <Section title={t('template.message')} text={t('template.messageHint')} wide>
        <div className={classes.narrow}>
          <TextInput name="subject" label={t('template.subject')} />
        </div>
        <Body />
        <Placeholders />
        <Defaults />
        <div className={classes.narrow}>
          <TextAreaInput
            name="attachment"
            label={t('template.attachment')}
            description={t('template.attachmentHint')}
          />
        </div>
      </Section>
    </>
  );
}

/** Most addresses of one kind, and the longest one, as the server takes them. */
const maxAddresses = 100;
const maxAddressLength = 320;

/** Addresses as tags: Enter or a comma ends one. */
function AddressInput({ name, label }: { name: AddressList; label: string }) {
  const { value, onChange, error, disabled } = useField<string[]>(name);
  return (
    <TagsInput
      comboboxProps={dropDownProps.comboboxProps}
      label={label}
      value={value}
      onChange={onChange}
      splitChars={[',']}
      error={error}
      disabled={disabled}
      maxTags={maxAddresses}
      maxLength={maxAddressLength}
      acceptValueOnBlur
      spellCheck={false}
      autoComplete="off"
    />
  );
}

const views = ['html', 'text', 'preview'] as const;

/** The two bodies, and how the one of HTML looks. */
function Body() {
  const t = useText('config');
  const hint = useId();
  const { form, isReadOnly } = useEditor<TemplateForm>();
  const [view, setView] = useState<(typeof views)[number]>('html');
  const { body_html: html, body_text: plain } = form.values;
  return (
    <div className={classes.mail}>
      <HeadRow
        actions={
          <SegmentedControl
            size="xs"
            aria-label={t('template.body')}
            value={view}
            onChange={(chosen) => setView(chosen as (typeof views)[number])}
            data={views.map((name) => ({ value: name, label: t(`template.views.${name}`) }))}
          />
        }
      >
        <Text fw={500} size="sm">
          {t('template.body')}
        </Text>
      </HeadRow>
      {view === 'html' ? (
        <CodeEditor
          label={t('template.htmlLabel')}
          value={html}
          onChange={(value) => form.setFieldValue('body_html', value)}
          wraps
          readOnly={isReadOnly}
        />
      ) : null}
      {view === 'text' ? (
        <>
          <CodeEditor
            label={t('template.textLabel')}
            value={plain}
            onChange={(value) => form.setFieldValue('body_text', value)}
            wraps
            readOnly={isReadOnly}
            describedBy={hint}
          />
          <Text id={hint} size="sm" c="var(--s-text-soft)">
            {t('template.textHint')}
          </Text>
        </>
      ) : null}
      {view === 'preview' ? <TemplatePreview /> : null}
      <SendToMe />
    </div>
  );
}

/** Values of placeholders that the template brings along. */
function Defaults() {
  const t = useText('config');
  const { value, onChange, error, disabled } = useField<Default[]>('defaults');
  return (
    <RowTable
      label={t('template.defaults')}
      description={t('template.defaultsHint')}
      error={error}
      disabled={disabled}
      items={[
        { name: 'name', label: t('template.defaultName'), type: 'string', required: true },
        { name: 'value', label: t('template.defaultValue'), type: 'string' },
      ]}
      events={[]}
      value={value as never}
      onChange={(rows) => onChange(rows as never)}
    />
  );
}

/** What is filled in when the mail goes out, to be copied. */
function Placeholders() {
  const t = useText('config');
  const common = useText('common');
  const copy = async (placeholder: string) => {
    if (await copyText(placeholder)) notify.success(t('template.placeholderCopied', { placeholder }));
    else notify.error(common('copy'), common('copyFailed'));
  };
  return (
    <details className={classes.placeholders}>
      <summary>{t('template.placeholders')}</summary>
      <Text size="sm" c="var(--s-text-soft)">
        {t('template.placeholdersHint')}
      </Text>
      <div className={classes.chips}>
        {placeholders.map((name) => (
          <button
            key={name}
            type="button"
            className={classes.chip}
            aria-label={common('copyThing', { thing: `{${name}}` })}
            onClick={() => void copy(`{${name}}`)}
          >
            {`{${name}}`}
          </button>
        ))}
      </div>
    </details>
  );
}
