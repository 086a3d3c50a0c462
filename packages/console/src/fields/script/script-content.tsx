// The text of a script and where it comes from, for the forms of script services and for event scripts: typed, imported, or linked.
import { Alert, Button, Group, Input, Stack, TextInput } from '@mantine/core';
import { repositoryTypes } from '@sluice/contract';
import { IconLink, IconRefresh, IconTrash } from '@tabler/icons-react';
import { type ReactNode, useEffect, useState } from 'react';
import { api } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import { CodeEditor, type CodeEditorProps, HeadRow, notify } from '../../ui/index.ts';
import type { FieldProps } from '../inputs/field.ts';
import { FieldGroup } from '../inputs/field-group.tsx';
import classes from '../inputs/fields.module.css';
import { PickSelect } from '../inputs/pick-select.tsx';
import { noLink, type ScriptLink, scriptEndings } from '../inputs/script-files.ts';
import { TextFile } from '../inputs/text-file.tsx';
import { HostedFileButton } from './hosted-file.tsx';
import { type LinkableService, useLinkableServices } from './sources.ts';
import { usePull } from './use-pull.ts';

/** What the text and the link of a script stand in: the configuration of a service, or the form of an event script. */
type Values = Record<string, unknown>;

interface ScriptContentProps extends FieldProps<string> {
  /** The link stands beside the content, where there can be one: `storage_service_id`, `storage_path`, `scm_*`. */
  config: Values;
  onConfig: (config: Values) => void;
  /** The language of the script, and the name that it is cached under: of the service, or of the event; empty for a new one. */
  service: { type: string; name: string };
  /** Title of notices: 'Services' or 'Scripts'. */
  title: string;
  /** Endings of files that are taken in; those of the language when absent. */
  accepted?: readonly string[];
  /** More buttons beside those that import, while nothing is linked. */
  tools?: ReactNode;
  height?: string;
  complete?: CodeEditorProps['complete'];
  /** Gets the text that a link leads to, when it was read. */
  onLinkedText?: (content: string) => void;
  /** Stands below a link: who can change what it leads to. */
  besideLink?: (link: ScriptLink) => ReactNode;
}

/** The text of a script: typed here, imported from a file, or linked to a service that holds it (SVC-021…029, OPEN-149). */
export function ScriptContent(props: ScriptContentProps) {
  const { label, description, error, disabled = false, value, onChange, config, service, title } = props;
  const { accepted = scriptEndings(service.type), height = '24rem', complete } = props;
  const t = useText('fields');
  const { linkable: services } = useLinkableServices();
  const link = linkOf(config);
  const linked = services.find(({ id }) => id === link.storage_service_id);
  const isLinked = Boolean(link.storage_service_id);
  const canLink = 'storage_service_id' in config;
  const pull = usePull(link, linked, title);
  const { onLinkedText } = props;
  useEffect(() => onLinkedText?.(pull.content), [onLinkedText, pull.content]);

  return (
    <Stack gap="sm">
      <Input.Wrapper description={description} error={error} labelElement="div">
        <div className={classes.above}>
          <HeadRow
            kind="part"
            actions={
              isLinked ? null : (
                <>
                  <TextFile label={t('script.desktop')} accepted={accepted} disabled={disabled} onText={onChange} />
                  <HostedFileButton accepted={accepted} disabled={disabled} onText={onChange} />
                  {props.tools}
                </>
              )
            }
          >
            <span className={classes.legend}>{isLinked ? t('script.readOnly', { label }) : label}</span>
          </HeadRow>
        </div>
        <CodeEditor
          label={label}
          value={isLinked ? pull.content : value}
          {...(isLinked ? {} : { onChange })}
          language={service.type}
          readOnly={isLinked || disabled}
          height={height}
          {...(complete ? { complete } : {})}
        />
      </Input.Wrapper>
      {isLinked ? (
        <Alert variant="light" p="xs" icon={<IconLink aria-hidden />}>
          {t('script.linked', { service: linked?.label ?? String(link.storage_service_id) })}
        </Alert>
      ) : null}
      {canLink ? <LinkControls {...props} link={link} services={services} linked={linked} pull={pull} /> : null}
    </Stack>
  );
}

const linkOf = (config: Values): ScriptLink => ({
  storage_service_id: (config.storage_service_id as number | null) ?? null,
  scm_repository: (config.scm_repository as string | null) ?? null,
  scm_reference: (config.scm_reference as string | null) ?? null,
  storage_path: (config.storage_path as string | null) ?? null,
});

interface LinkProps extends ScriptContentProps {
  link: ScriptLink;
  services: readonly LinkableService[];
  linked: LinkableService | undefined;
  pull: ReturnType<typeof usePull>;
}

function LinkControls({
  config,
  onConfig,
  disabled = false,
  service,
  link,
  services,
  linked,
  pull,
  ...props
}: LinkProps) {
  const t = useText('fields');
  const { title, besideLink } = props;
  const [isClearing, setClearing] = useState(false);
  const changeLink = (changes: Partial<ScriptLink>) => onConfig({ ...config, ...changes });
  const textProps = (field: Exclude<keyof ScriptLink, 'storage_service_id'>) => ({
    value: link[field] ?? '',
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => changeLink({ [field]: currentTarget.value }),
    disabled,
    spellCheck: false,
    autoComplete: 'off',
  });

  const clearCache = async () => {
    setClearing(true);
    try {
      await api.delete(`system/cache/_event/${encodeURIComponent(service.name)}`);
      notify.success(t('script.cacheCleared'), title);
    } catch {
      notify.error(title, t('script.cacheFailed'));
    } finally {
      setClearing(false);
    }
  };

  return (
    <FieldGroup label={t('script.link')} disabled={disabled}>
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
            <TextInput label={t('script.repository')} {...textProps('scm_repository')} />
            <TextInput label={t('script.reference')} {...textProps('scm_reference')} />
          </Group>
        ) : null}
        {linked ? (
          <>
            <TextInput label={t('script.path')} {...textProps('storage_path')} />
            <Group gap="xs">
              <Button
                variant="default"
                size="xs"
                leftSection={<IconRefresh size="1.1em" aria-hidden />}
                disabled={!pull.isReady || pull.isRunning}
                loading={pull.isRunning}
                onClick={pull.pull}
              >
                {t('script.viewLatest')}
              </Button>
              <Button
                variant="default"
                size="xs"
                leftSection={<IconTrash size="1.1em" aria-hidden />}
                disabled={!pull.isReady || service.name === '' || isClearing}
                loading={isClearing}
                onClick={() => void clearCache()}
              >
                {t('script.deleteCache')}
              </Button>
            </Group>
            {besideLink?.(link)}
          </>
        ) : null}
      </Stack>
    </FieldGroup>
  );
}
