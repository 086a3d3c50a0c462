import { Alert, Radio, Select, Stack } from '@mantine/core';
import { appType } from '@sluice/contract';
import { IconInfoCircle } from '@tabler/icons-react';
import { apiAddress } from '../../api/index.ts';
import { Section, useEditor, useField } from '../../editor/index.ts';
import { TextInput } from '../../fields/index.ts';
import { useText } from '../../text/index.ts';
import { CopyButton, dropDownProps, FailedLine } from '../../ui/index.ts';
import classes from './apps.module.css';
import { type AppForm, type AppLocation, type FileService, locations, previewUrl, withLocation } from './record.ts';

interface LocationProps {
  services: readonly FileService[] | undefined;
  error: Error | null;
  retry: () => void;
}

/** Where the app's pages are, with the fields that place needs (APP-012…015, OPEN-101…104). */
export function LocationSection({ services = [], error, retry }: LocationProps) {
  const t = useText('apps');
  const { form, isReadOnly } = useEditor<AppForm>();
  const { type } = form.values;
  const preview = previewUrl(form.values, apiAddress().replace(/\/api\/v2$/, ''), services);
  return (
    <Section title={t('location.title')} text={t('location.hint')}>
      <Radio.Group
        aria-label={t('location.title')}
        value={String(type)}
        onChange={(chosen) => form.setValues(withLocation(form.values, Number(chosen) as AppLocation, services))}
      >
        <Stack gap="xs">
          {locations.map((location) => (
            <Radio
              key={location}
              value={String(appType[location])}
              label={t(`location.types.${location}`)}
              disabled={isReadOnly}
            />
          ))}
        </Stack>
      </Radio.Group>
      {type === appType.storage ? (
        <>
          <ServiceSelect services={services} error={error} retry={retry} />
          <TextInput name="storage_container" label={t('location.folder')} mono />
          <TextInput name="path" label={t('location.path')} description={t('location.pathHint')} mono />
        </>
      ) : null}
      {type === appType.url ? (
        <TextInput name="url" label={t('location.url')} placeholder="https://" required mono />
      ) : null}
      {type === appType.path ? (
        <TextInput
          name="path"
          label={t('location.serverPath')}
          description={t('location.serverPathHint')}
          required
          mono
        />
      ) : null}
      {preview ? (
        <div className={classes.preview}>
          <span>{t('location.preview')}</span>
          <span className={classes.address}>
            <code className={classes.wholeKey}>{preview}</code>
            <CopyButton value={preview} thing={t('location.previewThing')} />
          </span>
        </div>
      ) : null}
    </Section>
  );
}

/** The file service the app is kept in; words instead of an empty list where there is none. */
function ServiceSelect({ services, error, retry }: LocationProps & { services: readonly FileService[] }) {
  const t = useText('apps');
  const { value, onChange, error: fieldError, disabled } = useField<number | null>('storage_service_id');
  if (services.length === 0 && value === null) {
    return (
      <Alert
        variant="light"
        icon={<IconInfoCircle aria-hidden />}
        className={classes.notice ?? ''}
        role={fieldError ? 'alert' : 'status'}
        data-wrong={fieldError ? true : undefined}
      >
        {error ? <FailedLine onRetry={retry}>{t('location.serviceFailed')}</FailedLine> : t('location.serviceNone')}
      </Alert>
    );
  }
  const data = services.map(({ id, name, label }) => ({ value: String(id), label: label || name }));
  if (value !== null && !services.some(({ id }) => id === value))
    data.push({ value: String(value), label: t('location.serviceUnknown', { id: value }) });
  return (
    <Select
      {...dropDownProps}
      label={t('location.service')}
      data={data}
      value={value === null ? null : String(value)}
      onChange={(id) => onChange(id === null ? null : Number(id))}
      error={fieldError ?? (error ? <FailedLine onRetry={retry}>{t('location.serviceFailed')}</FailedLine> : undefined)}
      disabled={disabled}
      required
      allowDeselect={false}
    />
  );
}
