import { Alert, Anchor, Button, Group, Input, Radio, SegmentedControl, Text, TextInput } from '@mantine/core';
import { type ApiKeyAnswer, maxKeyTables } from '@sluice/contract';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useId, useRef, useState } from 'react';
import { ApiError, api } from '../../api/index.ts';
import { useTableSummaries } from '../../database/index.ts';
import { useText } from '../../text/index.ts';
import { describeError, SearchMultiSelect, SearchSelect } from '../../ui/index.ts';
import classes from '../calls.module.css';
import { AgentsOff, useAgentsOff } from './agent-off.tsx';
import { newestDatabase } from './first-call.ts';
import {
  accesses,
  agentLimit,
  type KeyAccess,
  type KeyForm,
  type KeyScope,
  keyBody,
  maxNameLength,
  missingIn,
  proposedName,
  purposes,
  scopes,
} from './key-form.ts';
import { LimitInput } from './limit-input.tsx';
import { useMayCreateLimits } from './permission.ts';
import type { KeyPreset } from './requests.ts';
import { type KeyService, useKeyServices, useTakenNames } from './sources.ts';

interface CreateKeyFormProps {
  preset: KeyPreset;
  onCancel: () => void;
  onMade: (key: ApiKeyAnswer, form: KeyForm) => void;
  leaveTo: (address: string) => void;
}

/** What a refusal of the server names, by the input that shows it. */
const refusedFields = {
  name: 'name',
  service: 'service',
  table: 'table',
  tables: 'tables',
  rate: 'limit.rate',
} as const satisfies Record<keyof ReturnType<typeof missingIn>, string>;
const fieldsWithErrors = new Set<string>([...Object.values(refusedFields), 'limit.period']);

/** So many services and tables are offered at once; typing finds the others. */
const maxOptions = 50;

export function CreateKeyForm({ preset, onCancel, onMade, leaveTo }: CreateKeyFormProps) {
  const t = useText('calls');
  const common = useText('common');
  const formElement = useRef<HTMLFormElement>(null);
  const [choice, setChoice] = useState<Partial<KeyForm>>({});
  const [typedName, setTypedName] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [wasSent, setSent] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const servicesQuery = useKeyServices();
  const services = servicesQuery.data ?? [];

  const purpose = choice.purpose ?? preset.purpose ?? 'program';
  const offeredScopes: readonly KeyScope[] = scopes[purpose];
  const scope =
    offeredScopes.find((value) => value === choice.scope) ??
    (purpose === 'agent' ? 'tables' : preset.table ? 'table' : 'service');
  const offered = services.filter(({ hasTables }) => hasTables || scope === 'service');
  const wanted =
    choice.service === undefined
      ? (preset.service ?? (newestDatabase(services) ?? services[0])?.name ?? null)
      : choice.service;
  const service = offered.some(({ name }) => name === wanted) || servicesQuery.isPending ? wanted : null;
  const tablesQuery = useTableSummaries(scope === 'table' || scope === 'tables' ? service : null);
  const offeredTables = tablesQuery.data ?? [];
  const table =
    choice.table === undefined ? (service === preset.service ? (preset.table ?? null) : null) : choice.table;
  const tables = choice.tables ?? (table === null ? [] : [table]);
  const mayLimit = useMayCreateLimits();
  const chosenLimit = choice.limit === undefined && mayLimit ? agentLimit : (choice.limit ?? null);
  const limit = purpose === 'agent' ? chosenLimit : null;
  const form: KeyForm = { purpose, scope, service, table, tables, access: choice.access ?? 'read', limit };
  const isOff = useAgentsOff();
  const takenQuery = useTakenNames(proposedName(form, []));
  const name = typedName ?? proposedName(form, takenQuery.data ?? []);

  const missing = missingIn(form, name);
  const change = (changes: Partial<KeyForm>) => {
    setChoice({ ...choice, ...changes });
    setFailure(null);
  };
  const refused = failure instanceof ApiError ? failure.fieldMessages() : {};
  const refusalOf = (field: string) => refused[field]?.join(' ');
  const errorOf = (field: keyof typeof missing) =>
    refusalOf(refusedFields[field]) ?? (wasSent && missing[field] ? t(`key.missing.${field}`) : undefined);
  const isShownAtField = Object.keys(refused).some((field) => fieldsWithErrors.has(field));
  const tablesProps = {
    limit: maxOptions,
    disabled: service === null,
    placeholder: tablesQuery.isLoading
      ? common('loading')
      : t(tablesQuery.data?.length === 0 ? 'key.noTables' : 'key.choose'),
    nothingFoundMessage: t('key.noMatch'),
  };
  const tablesProblem = tablesQuery.error ? describeError(tablesQuery.error).messages[0] : undefined;

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
      <RadioChoice
        label={t('key.purpose')}
        hint={t(`key.purposeHints.${purpose}`)}
        options={purposes.map((value) => ({ value, label: t(`key.purposes.${value}`) }))}
        value={purpose}
        onChange={(value) => change({ purpose: value })}
        autoFocus
      />
      {purpose === 'agent' && isOff ? <AgentsOff /> : null}
      <RadioChoice
        label={t('key.scope')}
        hint={t(`key.scopeHints.${scope}`)}
        options={offeredScopes.map((value) => ({ value, label: t(`key.scopes.${value}`) }))}
        value={scope}
        onChange={(value) => change({ scope: value })}
      />
      {scope === 'everything' ? null : (
        <div className={classes.choices}>
          <SearchSelect
            label={t('key.service')}
            placeholder={t('key.choose')}
            data={optionsOf(offered)}
            value={service}
            onChange={(value) => change({ service: value, table: null, tables: [] })}
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
              data={tableOptions(offeredTables, table)}
              value={table}
              onChange={(value) => change({ table: value })}
              allowDeselect={false}
              {...tablesProps}
              error={errorOf('table') ?? tablesProblem}
            />
          ) : null}
        </div>
      )}
      {scope === 'tables' ? (
        <SearchMultiSelect
          label={t('key.tables')}
          description={t('key.tablesHint', { count: maxKeyTables })}
          data={offeredTables.map(({ name: table }) => table)}
          value={[...tables]}
          onChange={(values) => change({ tables: values })}
          maxValues={maxKeyTables}
          {...tablesProps}
          placeholder={tables.length > 0 ? '' : tablesProps.placeholder}
          error={errorOf('tables') ?? tablesProblem}
        />
      ) : null}
      <Input.Wrapper label={t('key.access')} description={t(`key.accessHints.${form.access}`)} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={t('key.access')}
          data={accesses.map((value) => ({ value, label: t(`key.accesses.${value}`) }))}
          value={form.access}
          onChange={(value) => change({ access: value as KeyAccess })}
        />
      </Input.Wrapper>
      {purpose === 'agent' && form.access === 'write' ? (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />} role="note">
          {t('agent.writes')}
        </Alert>
      ) : null}
      {purpose === 'agent' ? (
        <LimitInput
          value={limit}
          onChange={(value) => change({ limit: value })}
          isAllowed={mayLimit}
          errors={{ rate: errorOf('rate'), period: refusalOf('limit.period') }}
        />
      ) : null}
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
      {failure !== null && !isShownAtField ? <Failure error={failure} leaveTo={leaveTo} /> : null}
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

interface RadioChoiceProps<T extends string> {
  label: string;
  /** What the choice means. */
  hint: string;
  options: readonly { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
  /** The dialog begins at what is chosen. */
  autoFocus?: boolean;
}

function RadioChoice<T extends string>({ label, hint, options, value, onChange, autoFocus }: RadioChoiceProps<T>) {
  const hintId = useId();
  return (
    <Radio.Group label={label} value={value} onChange={(next) => onChange(next as T)} aria-describedby={hintId}>
      <Group gap="md" mt={4}>
        {options.map((option) => (
          <Radio key={option.value} {...option} data-autofocus={(autoFocus && option.value === value) || undefined} />
        ))}
      </Group>
      <Text size="xs" c="var(--s-text-soft)" mt="xs" id={hintId}>
        {hint}
      </Text>
    </Radio.Group>
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
