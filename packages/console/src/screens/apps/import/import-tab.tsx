import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconFolderSearch } from '@tabler/icons-react';
import { type FormEvent, useRef, useState } from 'react';
import { Section } from '../../../editor/index.ts';
import { PlacePicker, trimSlashes } from '../../../files/index.ts';
import { appPackageEnding, PackageInput, PackageRefused, UploadProgress } from '../../../packages/index.ts';
import { useText } from '../../../text/index.ts';
import { FailedLine, Page, SearchSelect } from '../../../ui/index.ts';
import classes from '../apps.module.css';
import type { FileService } from '../record.ts';
import { useAppSources } from '../sources.ts';
import { useAppTabs } from '../tabs.ts';
import { Samples } from './samples.tsx';
import { type AppImport, useAppImport } from './use-app-import.ts';

/** Takes an app in from a package: a sample, a file or an address, and where its pages are to be (APP-008, OPEN-110). */
export function ImportTab() {
  const t = useText('apps');
  const { services, servicesError, retry, isForbidden } = useAppSources();
  const importing = useAppImport(services);
  const { source, problem, failure, upload, isRunning } = importing;
  const tabs = useAppTabs();
  const input = useRef<HTMLInputElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!(await importing.run())) input.current?.focus();
  };
  return (
    <Page title={t('title')} tabs={tabs}>
      {isForbidden ? null : (
        <form className={classes.importForm} noValidate onSubmit={(event) => void submit(event)}>
          <Section title={t('import.title')} text={t('import.hint')}>
            <Samples
              address={source.path}
              disabled={isRunning}
              onSelect={(path) => {
                importing.setSource({ path, file: null });
                input.current?.focus();
              }}
            />
            <PackageInput
              inputRef={input}
              label={t('import.file')}
              placeholder={t('import.filePlaceholder')}
              endings={[appPackageEnding]}
              source={source}
              onChange={importing.setSource}
              error={problem ?? undefined}
              disabled={isRunning}
            />
          </Section>
          <Section title={t('import.place')} text={t('import.placeHint')}>
            <ServiceInput importing={importing} services={services} error={servicesError} retry={retry} />
            <FolderInput importing={importing} services={services ?? []} />
          </Section>
          {upload ? <UploadProgress upload={upload} onCancel={importing.cancel} /> : null}
          {failure ? <PackageRefused title={t('import.failed')} error={failure} /> : null}
          <div>
            <Button type="submit" loading={isRunning}>
              {t('import.button')}
            </Button>
          </div>
        </form>
      )}
    </Page>
  );
}

/** An option of its own: what is chosen can be undone by keyboard. */
const noService = '0';

interface ServiceInputProps {
  importing: AppImport;
  services: readonly FileService[] | undefined;
  error: Error | null;
  retry: () => void;
}

function ServiceInput({ importing, services, error, retry }: ServiceInputProps) {
  const t = useText('apps');
  const { serviceId, isRunning } = importing;
  return (
    <SearchSelect
      label={t('import.service')}
      description={t('import.serviceHint')}
      data={[
        { value: noService, label: t('import.noService') },
        ...(services ?? []).map(({ id, name, label }) => ({ value: String(id), label: label || name })),
      ]}
      value={serviceId === null ? noService : String(serviceId)}
      onChange={(id) => importing.setService(id === noService ? null : Number(id))}
      error={error ? <FailedLine onRetry={retry}>{t('location.serviceFailed')}</FailedLine> : undefined}
      nothingFoundMessage={t('import.serviceNoMatch')}
      disabled={isRunning}
      allowDeselect={false}
    />
  );
}

const wholeService = [''];

function FolderInput({ importing, services }: { importing: AppImport; services: readonly FileService[] }) {
  const t = useText('apps');
  const { folder, serviceId, isRunning } = importing;
  const [isPicking, setPicking] = useState(false);
  const service = services.find(({ id }) => id === serviceId);
  return (
    <>
      <TextInput
        label={t('import.folder')}
        description={t('import.folderHint')}
        value={folder}
        maxLength={255}
        disabled={isRunning}
        autoComplete="off"
        spellCheck={false}
        classNames={{ input: classes.monoInput! }}
        onChange={(event) => importing.setFolder(event.currentTarget.value)}
        rightSection={
          service && !isRunning ? (
            <ActionIcon
              aria-label={t('location.browse.folder')}
              title={t('location.browse.folder')}
              onClick={() => setPicking(true)}
            >
              <IconFolderSearch className={classes.icon} aria-hidden stroke={1.6} />
            </ActionIcon>
          ) : null
        }
      />
      {isPicking && service ? (
        <PlacePicker
          service={service.name}
          serviceLabel={service.label || service.name}
          roots={wholeService}
          title={t('location.browse.folder')}
          folder={trimSlashes(folder.trim())}
          picks="folder"
          chooseLabel={t('location.choose')}
          onChoose={({ folder: chosen }) => {
            importing.setFolder(chosen);
            setPicking(false);
          }}
          onClose={() => setPicking(false)}
        />
      ) : null}
    </>
  );
}
