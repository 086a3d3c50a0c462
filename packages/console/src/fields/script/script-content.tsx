import { Alert, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { repositoryTypes } from '@sluice/contract';
import { IconLink, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { api } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import { CodeEditor, notify } from '../../ui/index.ts';
import type { FieldProps } from '../inputs/field.ts';
import { FieldGroup } from '../inputs/field-group.tsx';
import classes from '../inputs/fields.module.css';
import { PickSelect } from '../inputs/pick-select.tsx';
import { canRefresh, noLink, type ScriptLink, scriptEndings, scriptSource } from '../inputs/script-files.ts';
import { TextFile } from '../inputs/text-file.tsx';
import type { Config } from './schema.ts';
import { type LinkableService, useLinkableServices } from './sources.ts';

interface ScriptContentProps extends FieldProps<string> {
  /** The whole config: a script's link stands beside its content. */
  config: Config;
  onConfig: (config: Config) => void;
  service: { type: string; name: string };
  /** Title of notices: 'Services' or 'Scripts'. */
  title: string;
}

/** The text of a script: typed here, imported from a file, or linked to a service that holds it (SVC-021…029, OPEN-149). */
export function ScriptContent(props: ScriptContentProps) {
  const { label, description, error, disabled, value, onChange, config, onConfig, service } = props;
  const t = useText('fields');
  const { linkable: services } = useLinkableServices();
  const linked = services.find(({ id }) => id === config.storage_service_id);
  const isLinked = Boolean(config.storage_service_id);
  const canLink = 'storage_service_id' in config;

  return (
    <Stack gap="sm">
      <Input.Wrapper label={label} description={description} error={error} labelElement="div">
        <CodeEditor
          label={label}
          value={value}
          onChange={onChange}
          language={service.type}
          readOnly={isLinked || Boolean(disabled)}
          height="24rem"
        />
      </Input.Wrapper>
      {isLinked ? (
        <Alert variant="light" p="xs" icon={<IconLink aria-hidden />}>
          {t('script.linked', { service: linked?.label ?? String(config.storage_service_id) })}
        </Alert>
      ) : (
        <TextFile
          label={t('script.desktop')}
          accepted={scriptEndings(service.type)}
          disabled={disabled ?? false}
          onText={onChange}
        />
      )}
      {canLink ? (
        <LinkControls
          {...props}
          services={services}
          linked={linked}
          canRefreshCache={service.name !== ''}
          onConfig={onConfig}
        />
      ) : null}
    </Stack>
  );
}

interface LinkProps extends ScriptContentProps {
  services: readonly LinkableService[];
  linked: LinkableService | undefined;
  canRefreshCache: boolean;
}

function LinkControls({ config, onConfig, disabled, service, services, linked, canRefreshCache, title }: LinkProps) {
  const t = useText('fields');
  const [running, setRunning] = useState<'pull' | 'cache' | null>(null);
  const link: ScriptLink = {
    storage_service_id: (config.storage_service_id as number | null) ?? null,
    scm_repository: (config.scm_repository as string | null) ?? null,
    scm_reference: (config.scm_reference as string | null) ?? null,
    storage_path: (config.storage_path as string | null) ?? null,
  };
  const isReady = canRefresh(link, linked?.type);
  const changeLink = (changes: Partial<ScriptLink>) => onConfig({ ...config, ...changes });

  const pullScript = async () => {
    if (!linked) return;
    const { path, query } = scriptSource(link, linked);
    setRunning('pull');
    try {
      const content = await api.get<string>(path, { query, as: 'text' });
      onConfig({ ...config, content });
      notify.success(t('script.pulled'), title);
    } catch {
      notify.error(title, t('script.pullFailed'));
    } finally {
      setRunning(null);
    }
  };
  const clearCache = async () => {
    setRunning('cache');
    try {
      await api.delete(`system/cache/_event/${encodeURIComponent(service.name)}`);
      notify.success(t('script.cacheCleared'), title);
    } catch {
      notify.error(title, t('script.cacheFailed'));
    } finally {
      setRunning(null);
    }
  };

  return (
    <FieldGroup label={t('script.link')} disabled={disabled ?? false}>
      <Stack gap="sm" className={classes.box ?? ''}>
        <PickSelect
          label={t('script.service')}
          placeholder={t('script.unlinked')}
          value={link.storage_service_id}
          options={services.map(({ id, label, name }) => ({ label: label || name, name: id }))}
          // The link decides where the content is: choosing another one starts over (SVC-021).
          onChange={(id) => onConfig({ ...config, ...noLink, storage_service_id: id, content: '' })}
        />
        {linked && repositoryTypes.includes(linked.type) ? (
          <Group grow align="start">
            <TextInput
              label={t('script.repository')}
              value={link.scm_repository ?? ''}
              onChange={(event) => changeLink({ scm_repository: event.currentTarget.value })}
              spellCheck={false}
            />
            <TextInput
              label={t('script.reference')}
              value={link.scm_reference ?? ''}
              onChange={(event) => changeLink({ scm_reference: event.currentTarget.value })}
              spellCheck={false}
            />
          </Group>
        ) : null}
        {linked ? (
          <>
            <TextInput
              label={t('script.path')}
              value={link.storage_path ?? ''}
              onChange={(event) => changeLink({ storage_path: event.currentTarget.value })}
              spellCheck={false}
            />
            <Group gap="xs">
              <Button
                variant="default"
                size="xs"
                leftSection={<IconRefresh size="1.1em" aria-hidden />}
                disabled={!isReady || running !== null}
                loading={running === 'pull'}
                onClick={() => void pullScript()}
              >
                {t('script.viewLatest')}
              </Button>
              <Button
                variant="default"
                size="xs"
                leftSection={<IconTrash size="1.1em" aria-hidden />}
                disabled={!isReady || !canRefreshCache || running !== null}
                loading={running === 'cache'}
                onClick={() => void clearCache()}
              >
                {t('script.deleteCache')}
              </Button>
            </Group>
          </>
        ) : null}
      </Stack>
    </FieldGroup>
  );
}
