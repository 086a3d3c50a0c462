import { ActionIcon, Alert, Anchor, Button, PasswordInput, Select, Text, TextInput, Title } from '@mantine/core';
import { IconCircleCheck, IconDownload, IconFolderSearch } from '@tabler/icons-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { download, downloadUrl } from '../../api/index.ts';
import { Section } from '../../editor/index.ts';
import { nameOf, PlacePicker, trimSlashes } from '../../files/index.ts';
import { useHasScreen } from '../../frame/screen-list.ts';
import { PackageRefused } from '../../packages/index.ts';
import { useText } from '../../text/index.ts';
import { CopyButton, dropDownProps } from '../../ui/index.ts';
import { DraftNotice } from '../../unsaved/index.ts';
import { CompanionsNotice } from './companions-notice.tsx';
import { rowKey } from './content.ts';
import { ContentPicker } from './content-picker.tsx';
import { ContentTable } from './content-table.tsx';
import classes from './package-manager.module.css';
import type { Loaded } from './sources.ts';
import { defaultFolder, type ExportController, type ExportErrors, type ExportResult } from './use-export.ts';

const wholeService = [''];

/** Exporting a package: what goes into it, and where it goes (PKG-004…009). */
export function ExportTab({ exporting, loaded }: { exporting: ExportController; loaded: Loaded }) {
  const t = useText('packages');
  const { form, errors, isRunning } = exporting;
  const formRef = useRef<HTMLFormElement>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    leadToFirst(await exporting.run(loaded), formRef.current);
  };
  const setRows = (rows: typeof form.rows) => exporting.change({ rows });
  return (
    <form ref={formRef} className={classes.form} noValidate onSubmit={(event) => void submit(event)}>
      {exporting.draft ? <DraftNotice restore={exporting.restoreDraft} discard={exporting.discardDraft} /> : null}
      <div className={classes.columns} key={exporting.clears}>
        <section className={classes.card} aria-label={t('choose.title')}>
          <Title order={2}>{t('choose.title')}</Title>
          <Text size="sm" c="var(--s-text-soft)">
            {t('choose.hint')}
          </Text>
          <ContentPicker loaded={loaded} rows={form.rows} onChange={setRows} />
        </section>
        <section className={classes.card} aria-label={t('content.title')} data-field="content" tabIndex={-1}>
          <Title order={2}>{t('content.title')}</Title>
          <ContentTable
            rows={form.rows}
            places={loaded.places}
            onRemove={(row) => setRows(form.rows.filter((other) => rowKey(other) !== rowKey(row)))}
          />
          {errors.content ? (
            <Text size="sm" className={classes.problem!} role="alert">
              {errors.content}
            </Text>
          ) : null}
          <CompanionsNotice loaded={loaded} rows={form.rows} onChange={setRows} />
        </section>
      </div>
      <Section title={t('target.title')} text={t('target.hint')}>
        <Target exporting={exporting} loaded={loaded} />
        {exporting.failure ? <PackageRefused title={t('export.failed')} error={exporting.failure} /> : null}
        {exporting.result ? <Result result={exporting.result} loaded={loaded} /> : null}
        <div className={classes.buttons}>
          <Button type="submit" loading={isRunning}>
            {t('export.button')}
          </Button>
          <Button variant="default" disabled={isRunning} onClick={exporting.clear}>
            {t('clear')}
          </Button>
          {isRunning ? (
            <Text size="sm" c="var(--s-text-soft)" role="status">
              {t('export.running')}
            </Text>
          ) : null}
        </div>
      </Section>
    </form>
  );
}

/** The focus goes where the first thing is missing. */
function leadToFirst(errors: ExportErrors, form: HTMLElement | null) {
  const first = (['content', 'service', 'password'] as const).find((field) => errors[field]);
  form?.querySelector<HTMLElement>(`[data-field="${first}"]`)?.focus();
}

function Target({ exporting, loaded }: { exporting: ExportController; loaded: Loaded }) {
  const t = useText('packages');
  const { form, errors, isRunning, change } = exporting;
  const [isBrowsing, setBrowsing] = useState(false);
  const service = loaded.fileServices.find(({ name }) => name === form.service);
  return (
    <>
      {loaded.fileServices.length === 0 ? <Text size="sm">{t('target.noServices')}</Text> : null}
      <div className={classes.pair}>
        <Select
          {...dropDownProps}
          data-field="service"
          label={t('target.service')}
          placeholder={t('target.servicePlaceholder')}
          data={loaded.fileServices.map(({ name, label }) => ({ value: name, label: label || name }))}
          value={form.service}
          onChange={(service) => change({ service })}
          error={errors.service}
          disabled={isRunning}
          required
          withAsterisk={false}
        />
        <TextInput
          label={t('target.folder')}
          placeholder={defaultFolder}
          value={form.folder}
          disabled={isRunning}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change({ folder: event.currentTarget.value })}
          rightSection={
            service && !isRunning ? (
              <ActionIcon aria-label={t('target.browse')} title={t('target.browse')} onClick={() => setBrowsing(true)}>
                <IconFolderSearch className={classes.icon} aria-hidden stroke={1.6} />
              </ActionIcon>
            ) : null
          }
        />
        <TextInput
          label={t('target.fileName')}
          placeholder={t('target.fileNamePlaceholder')}
          description={t('target.fileNameHint')}
          value={form.fileName}
          disabled={isRunning}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => change({ fileName: event.currentTarget.value })}
        />
        {loaded.canSecure ? (
          <PasswordInput
            data-field="password"
            label={t('target.password')}
            placeholder={t('optional')}
            description={t('target.passwordHint')}
            value={form.password}
            error={errors.password}
            disabled={isRunning}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t('showPassword'), tabIndex: 0 }}
            onChange={(event) => change({ password: event.currentTarget.value })}
          />
        ) : null}
      </div>
      {isBrowsing && service ? (
        <PlacePicker
          service={service.name}
          serviceLabel={service.label || service.name}
          roots={wholeService}
          title={t('target.browse')}
          folder={trimSlashes(form.folder.trim())}
          picks="folder"
          chooseLabel={t('target.choose')}
          onChoose={({ folder }) => {
            change({ folder });
            setBrowsing(false);
          }}
          onClose={() => setBrowsing(false)}
        />
      ) : null}
    </>
  );
}

/** Where the package is, and how it comes from there (PKG-007, PKG-009, OPEN-217, OPEN-218). */
function Result({ result, loaded }: { result: ExportResult; loaded: Loaded }) {
  const t = useText('packages');
  const hasScreen = useHasScreen();
  const { path, isPublic, folder } = result;
  const service = loaded.fileServices.find(({ name }) => name === result.service);
  const label = service?.label || result.service;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={box}>
      <Alert
        color="green"
        variant="light"
        icon={<IconCircleCheck aria-hidden />}
        role="status"
        title={t('export.done')}
      >
        <div className={classes.path}>
          <span>{t('export.path')}</span>
          <code className={classes.code}>{path}</code>
        </div>
        <div className={classes.buttons}>
          <CopyButton value={path} label={t('export.copy')} />
          <Button
            variant="default"
            leftSection={<IconDownload className={classes.icon} aria-hidden />}
            onClick={() => download(downloadUrl(path, {}), decodedName(path))}
          >
            {t('export.download')}
          </Button>
        </div>
        {isPublic ? null : (
          <Text size="sm" className={classes.hint!}>
            {t('export.notPublic', { service: label, folder })}{' '}
            {service && hasScreen('/services') ? (
              <Anchor component={Link} to={`/services/${service.id}`} inherit>
                {t('export.configure', { service: label })}
              </Anchor>
            ) : null}
          </Text>
        )}
      </Alert>
    </div>
  );
}

function decodedName(path: string): string {
  try {
    return decodeURIComponent(nameOf(path));
  } catch {
    return nameOf(path);
  }
}
