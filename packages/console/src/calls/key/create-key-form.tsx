import { Alert, Anchor, Button, Group, Input, Radio, SegmentedControl, Text, TextInput } from '@mantine/core';
import type { ApiKeyAnswer } from '@sluice/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { ApiError, api } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import { describeError, SearchSelect } from '../../ui/index.ts';
import classes from '../calls.module.css';
import { newestDatabase } from './first-call.ts';
import {
  accesses,
  type KeyAccess,
  type KeyForm,
  type KeyScope,
  keyBody,
  maxNameLength,
  missingIn,
  proposedName,
  scopes,
} from './key-form.ts';
import type { KeyPreset } from './requests.ts';
import { type KeyService, useKeyServices, useKeyTables, useTakenNames } from './sources.ts';

interface CreateKeyFormProps {
  preset: KeyPreset;
  onCancel: () => void;
  onMade: (key: ApiKeyAnswer, form: KeyForm) => void;
  leaveTo: (address: string) => void;
}

/** So many services and tables are offered at once; typing finds the others. */
const maxOptions = 50;

export function CreateKeyForm({ preset, onCancel, onMade, leaveTo }: CreateKeyFormProps) {
  const t = useText('calls');
  const common = useText('common');
  const formElement = useRef<HTMLFormElement>(null);
  const scopeId = useId();
  const [choice, setChoice] = useState<Partial<KeyForm>>({});
  const [typedName, setTypedName] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [wasSent, setSent] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const servicesQuery = useKeyServices();
  const services = servicesQuery.data ?? [];

  const scope = choice.scope ?? (preset.table ? 'table' : 'service');
  const offered = services.filter(({ hasTables }) => hasTables || scope === 'service');
  const wanted =
    choice.service === undefined
      ? (preset.service ?? (newestDatabase(services) ?? services[0])?.name ?? null)
      : choice.service;
  const service = offered.some(({ name }) => name === wanted) || servicesQuery.isPending ? wanted : null;
  const tablesQuery = useKeyTables(scope === 'table' ? service : null);
  const tables = tablesQuery.data ?? [];
  const table =
    choice.table === undefined ? (service === preset.service ? (preset.table ?? null) : null) : choice.table;
  const form: KeyForm = { scope, service, table, access: choice.access ?? 'read' };
  const takenQuery = useTakenNames(proposedName(form, []));
  const name = typedName ?? proposedName(form, takenQuery.data ?? []);

  const missing = missingIn(form, name);
  const change = (changes: Partial<KeyForm>) => {
    setChoice({ ...choice, ...changes });
    setFailure(null);
  };
  const refused = failure instanceof ApiError ? failure.fieldMessages() : {};
  const errorOf = (field: 'name' | 'service' | 'table') =>
    refused[field]?.join(' ') ?? (wasSent && missing[field] ? t(`key.missing.${field}`) : undefined);

  const create = async () => {
    setSent(true);
    setFailure(null);
    if (Object.values(missing).includes(true)) {
      // The inputs get their errors first.
      setTimeout(() => formElement.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setBusy(true);
    try {
      onMade(await api.post<ApiKeyAnswer>('system/app/_key', { body: keyBody(form, name) }), form);
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };

  return (
    <form
      ref={formElement}
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void create();
      }}
    >
      <Text size="sm" c="var(--s-text-soft)">
        {t('key.intro')}
      </Text>
      <Radio.Group
        label={t('key.scope')}
        value={scope}
        onChange={(value) => change({ scope: value as KeyScope })}
        aria-describedby={scopeId}
      >
        <Group gap="md" mt={4}>
          {scopes.map((value) => (
            <Radio
              key={value}
              value={value}
              label={t(`key.scopes.${value}`)}
              data-autofocus={value === scope || undefined}
            />
          ))}
        </Group>
        <Text size="xs" c="var(--s-text-soft)" mt="xs" id={scopeId}>
          {t(`key.scopeHints.${scope}`)}
        </Text>
      </Radio.Group>
      {scope === 'everything' ? null : (
        <div className={classes.choices}>
          <SearchSelect
            label={t('key.service')}
            placeholder={t('key.choose')}
            data={optionsOf(offered)}
            value={service}
            onChange={(value) => change({ service: value, table: null })}
            limit={maxOptions}
            allowDeselect={false}
            nothingFoundMessage={t('key.noMatch')}
            error={
              errorOf('service') ?? (servicesQuery.error ? describeError(servicesQuery.error).messages[0] : undefined)
            }
          />
          {scope === 'table' ? (
            <SearchSelect
              label={t('key.table')}
              data={tableOptions(tables, table)}
              value={table}
              onChange={(value) => change({ table: value })}
              limit={maxOptions}
              allowDeselect={false}
              disabled={service === null}
              placeholder={
                tablesQuery.isLoading
                  ? common('loading')
                  : t(tablesQuery.data?.length === 0 ? 'key.noTables' : 'key.choose')
              }
              nothingFoundMessage={t('key.noMatch')}
              error={errorOf('table') ?? (tablesQuery.error ? describeError(tablesQuery.error).messages[0] : undefined)}
            />
          ) : null}
        </div>
      )}
      <Input.Wrapper label={t('key.access')} description={t(`key.accessHints.${form.access}`)} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={t('key.access')}
          data={accesses.map((value) => ({ value, label: t(`key.accesses.${value}`) }))}
          value={form.access}
          onChange={(value) => change({ access: value as KeyAccess })}
        />
      </Input.Wrapper>
      <TextInput
        label={t('key.name')}
        description={t('key.nameHint')}
        value={name}
        maxLength={maxNameLength}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          setTypedName(event.currentTarget.value);
          setFailure(null);
        }}
        error={errorOf('name')}
        required
      />
      {failure !== null && Object.keys(refused).length === 0 ? <Failure error={failure} leaveTo={leaveTo} /> : null}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={onCancel}>
          {common('cancel')}
        </Button>
        <Button type="submit" loading={isBusy}>
          {t('key.create')}
        </Button>
      </Group>
    </form>
  );
}

const optionsOf = (services: readonly KeyService[]) =>
  services.map(({ name, label }) => ({ value: name, label: label === name ? name : `${label} (${name})` }));

/** The table one comes from is there before the list of them is. */
const tableOptions = (tables: readonly { name: string }[], table: string | null): string[] => [
  ...new Set([...(tables.length === 0 && table ? [table] : []), ...tables.map(({ name }) => name)]),
];

/** Why no key was made. A server that has no such call says 404 or 405: there it takes a role and an app. */
function Failure({ error, leaveTo }: { error: unknown; leaveTo: (address: string) => void }) {
  const t = useText('calls');
  const isUnknown = error instanceof ApiError && [404, 405, 501].includes(error.status);
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {isUnknown ? (
        <>
          {t('key.unsupported')}{' '}
          <Anchor component="button" type="button" inherit onClick={() => leaveTo('/apps/create')}>
            {t('key.byHand')}
          </Anchor>
        </>
      ) : (
        describeError(error).messages.map((message) => <div key={message}>{message}</div>)
      )}
    </Alert>
  );
}
