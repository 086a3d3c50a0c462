import { ActionIcon, Alert, Autocomplete, Radio, Select, Stack, Text } from '@mantine/core';
import { appType } from '@sluice/contract';
import { IconFolderSearch, IconInfoCircle } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { apiAddress } from '../../api/index.ts';
import { Section, useEditor, useField } from '../../editor/index.ts';
import { TextInput } from '../../fields/index.ts';
import { PlacePicker, trimSlashes } from '../../files/index.ts';
import { useScreens } from '../../frame/screen-list.ts';
import { useText } from '../../text/index.ts';
import { CopyButton, dropDownProps, FailedLine } from '../../ui/index.ts';
import classes from './apps.module.css';
import {
  type AppForm,
  type AppLocation,
  type FileService,
  isPageOfServer,
  isStoredAppPublic,
  locations,
  pagePaths,
  previewUrl,
  withLocation,
} from './record.ts';

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
          <StoragePlace services={services} />
        </>
      ) : null}
      {type === appType.url ? (
        <TextInput name="url" label={t('location.url')} placeholder="https://" required mono />
      ) : null}
      {type === appType.path ? <ServerPath services={services} isKnown={!error} /> : null}
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

/** The folder and the page of an app in a file service: typed, or chosen where they are. */
function StoragePlace({ services }: { services: readonly FileService[] }) {
  const t = useText('apps');
  const { form, isReadOnly } = useEditor<AppForm>();
  const [picks, setPicks] = useState<'folder' | 'file' | null>(null);
  const { storage_service_id, storage_container } = form.values;
  const service = services.find(({ id }) => id === storage_service_id);
  const folder = trimSlashes(storage_container.trim());
  const browse = (kind: 'folder' | 'file') =>
    service && !isReadOnly ? (
      <ActionIcon
        aria-label={t(`location.browse.${kind}`)}
        title={t(`location.browse.${kind}`)}
        onClick={() => setPicks(kind)}
      >
        <IconFolderSearch className={classes.icon} aria-hidden stroke={1.6} />
      </ActionIcon>
    ) : null;
  return (
    <>
      <TextInput name="storage_container" label={t('location.folder')} mono button={browse('folder')} />
      <TextInput
        name="path"
        label={t('location.path')}
        description={t('location.pathHint')}
        mono
        button={browse('file')}
      />
      {service && !isStoredAppPublic(form.values, services) ? (
        <Text size="sm" className={classes.caution!} role="status">
          {t('location.notPublic', { service: service.label || service.name })}
        </Text>
      ) : null}
      {picks && service ? (
        <PlacePicker
          service={service.name}
          serviceLabel={service.label || service.name}
          roots={wholeService}
          title={t(`location.browse.${picks}`)}
          folder={folder}
          picks={picks}
          chooseLabel={t('location.choose')}
          onChoose={({ folder: chosen, file }) => {
            // A page beside the folder takes the folder along.
            const isBelow = file !== null && (folder === '' || file.startsWith(`${folder}/`));
            const base = picks === 'folder' || !isBelow ? chosen : folder;
            form.setFieldValue('storage_container', base);
            if (file !== null) form.setFieldValue('path', base === '' ? file : file.slice(base.length + 1));
            setPicks(null);
          }}
          onClose={() => setPicks(null)}
        />
      ) : null}
    </>
  );
}

const wholeService = [''];

/** A path of this server: a page of the console, or what a file service shows to everybody. Another one is marked, and stored. */
function ServerPath({ services, isKnown }: { services: readonly FileService[]; isKnown: boolean }) {
  const t = useText('apps');
  const { value, onChange, error, disabled, maxLength } = useField<string>('path');
  const screens = useScreens();
  const pages = useMemo(() => screens.map(({ path }) => path), [screens]);
  const isMissing = isKnown && value.trim() !== '' && !isPageOfServer(value, pages, services);
  return (
    <Autocomplete
      {...dropDownProps}
      name="path"
      label={t('location.serverPath')}
      description={
        isMissing ? (
          <span className={classes.caution} role="status">
            {t('location.pathMissing')}
          </span>
        ) : (
          t('location.serverPathHint')
        )
      }
      data={pagePaths(
        screens.filter(({ frame }) => frame !== 'none').map(({ path }) => path),
        services,
      )}
      value={value}
      onChange={onChange}
      error={error}
      disabled={disabled}
      maxLength={maxLength}
      required
      spellCheck={false}
      classNames={{ ...dropDownProps.classNames, input: classes.monoInput! }}
    />
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
