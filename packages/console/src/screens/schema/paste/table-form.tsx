// The table that is to be made of data: its name, its columns, the first rows.
import { Alert, Button, Checkbox, Group, NativeSelect, Stack, Switch, Text, TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError } from '../../../api/index.ts';
import { formatNumber, useText } from '../../../text/index.ts';
import { HeadRow, notify, RequestId } from '../../../ui/index.ts';
import { tableAddress } from '../address/addresses.ts';
import { refreshService, useTables } from '../address/sources.ts';
import { type SchemaWrite, sendWrite } from '../address/write.ts';
import { fieldProblem, newField } from '../draft/field.ts';
import { createTableWrite } from '../draft/table.ts';
import { PlanPanel } from '../plan/index.ts';
import { ColumnList } from './column-list.tsx';
import { type Column, type ColumnChoice, changeColumn, countedField, hasKey, toTable } from './columns.ts';
import { toTableName } from './guess/names.ts';
import classes from './paste.module.css';
import { Preview } from './preview.tsx';
import { delimiters } from './read/delimited.ts';
import type { LoadedData, ReadingChoice } from './use-data.ts';

interface TableFormProps {
  service: string;
  data: LoadedData;
  /** The database counts from 1, whatever numbers were inserted. */
  forgetsCount: boolean;
  onReadAgain: (choice: ReadingChoice) => void;
  onClear: () => void;
  onCancel: () => void;
  onPassGuard: () => void;
  /** The table has been made, and its records are to be inserted. */
  onInsert: (table: string, columns: Column[]) => void;
}

/** A table that is there must not become another one by this. */
const createWrite = (name: string, columns: readonly Column[], addsId: boolean): SchemaWrite => ({
  ...createTableWrite(toTable(name, columns, addsId)),
  query: { fields: '*', check_exist: true },
});

export function TableForm(props: TableFormProps) {
  const { service, data, forgetsCount, onReadAgain, onClear, onCancel, onPassGuard, onInsert } = props;
  const t = useText('schema');
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data: existingTables } = useTables(service);
  const [name, setName] = useState(() => (data.source.name ? toTableName(data.source.name) : ''));
  const [columns, setColumns] = useState(data.columns);
  const [addsId, setAddsId] = useState(true);
  const [insertsRows, setInsertsRows] = useState(true);
  const [isTried, setTried] = useState(false);
  const [isSending, setSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const form = useRef<HTMLDivElement>(null);
  const nameInput = useRef<HTMLInputElement>(null);
  // What had the focus before is gone.
  useEffect(() => nameInput.current?.focus(), []);

  const { rows, sheet, isHeaded, source } = data;
  const isTaken = existingTables?.some((table) => table.name.toLowerCase() === name.trim().toLowerCase()) ?? false;
  const nameProblem = isTaken ? t('table.nameExists') : name.trim() === '' ? t('table.nameMissing') : null;
  const problems = useMemo(() => columns.map((column) => problemOf(column, columns)), [columns]);
  const used = columns.filter(({ isUsed }) => isUsed);
  const countedColumns = used.filter(({ type }) => type === 'id').length;
  const tableProblem = used.length === 0 ? t('paste.noColumns') : countedColumns > 1 ? t('paste.oneCounted') : null;
  const isValid = nameProblem === null && tableProblem === null && problems.every((problem) => problem === null);
  const write = useMemo(() => (isValid ? createWrite(name, columns, addsId) : null), [isValid, name, columns, addsId]);
  const misfits = used.reduce((sum, column) => sum + column.misfits, 0);

  const change = (index: number, choice: Partial<ColumnChoice>) =>
    setColumns((before) =>
      before.map((column) => (column.index === index ? changeColumn(column, choice, rows) : column)),
    );

  const create = async () => {
    setTried(true);
    if (!write) {
      if (nameProblem) notify.error(t('table.validationError'), nameProblem);
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    setSending(true);
    setError(null);
    try {
      const made = await sendWrite<{ resource?: { name?: string }[] }>(service, write);
      const table = made?.resource?.[0]?.name ?? name.trim();
      notify.success(t('table.saved'));
      if (insertsRows) onInsert(table, columns);
      else {
        onPassGuard();
        navigate(tableAddress(service, table));
      }
      await refreshService(client, service);
    } catch (failure) {
      notify.error('', failure);
      setError(failure);
      setSending(false);
    }
  };

  return (
    <Stack gap="lg" ref={form}>
      <HeadRow
        kind="text"
        actions={
          <Button variant="default" size="xs" disabled={isSending} onClick={onClear}>
            {t('paste.otherData')}
          </Button>
        }
      >
        <Text>
          {source.name ?? t('paste.pasted')}: {t('paste.rows', { count: rows.length, rows: formatNumber(rows.length) })}
          {', '}
          {t('paste.columnCount', { count: columns.length })}
        </Text>
      </HeadRow>
      {sheet.unevenRows > 0 ? (
        <Alert color="yellow" variant="light" icon={<IconAlertTriangle aria-hidden />}>
          {t('paste.uneven', { count: sheet.unevenRows })}
        </Alert>
      ) : null}
      <Group align="flex-end" gap="md">
        <TextInput
          ref={nameInput}
          label={t('paste.tableName')}
          className={classes.tableName!}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={isTried || isTaken ? nameProblem : null}
          autoComplete="off"
          spellCheck={false}
          required
        />
        <NativeSelect
          label={t('paste.format')}
          value={sheet.format}
          onChange={(event) => onReadAgain({ format: event.currentTarget.value as typeof sheet.format })}
          data={[
            ...delimiters.map((value) => ({ value, label: t(`paste.formats.${delimiterWords[value]}`) })),
            { value: 'json', label: t('paste.formats.json') },
          ]}
        />
        {sheet.names === null ? (
          <Switch
            className={classes.header!}
            label={t('paste.headed')}
            checked={isHeaded}
            onChange={(event) => onReadAgain({ format: sheet.format, isHeaded: event.currentTarget.checked })}
          />
        ) : null}
      </Group>
      <ColumnList columns={columns} problems={problems} forgetsCount={forgetsCount} onChange={change} />
      {hasKey(columns) ? null : (
        <Checkbox
          label={t('paste.addId', { name: countedField(columns).name })}
          description={t('paste.addIdText')}
          checked={addsId}
          onChange={(event) => setAddsId(event.currentTarget.checked)}
        />
      )}
      <Preview columns={columns} rows={rows} />
      <PlanPanel service={service} write={write} />
      <Checkbox
        label={t('paste.insert', { count: rows.length, rows: formatNumber(rows.length) })}
        description={
          misfits > 0
            ? t('paste.insertMisfits', { count: misfits, misfits: formatNumber(misfits) })
            : t('paste.insertText')
        }
        checked={insertsRows}
        onChange={(event) => setInsertsRows(event.currentTarget.checked)}
      />
      {error ? <NotMade error={error} /> : null}
      {isTried && !isValid ? (
        <Text role="alert" size="sm" c="var(--s-danger)">
          {tableProblem ?? nameProblem ?? t('paste.problems', { count: problems.filter(Boolean).length })}
        </Text>
      ) : null}
      <Group gap="xs">
        <Button loading={isSending} onClick={() => void create()}>
          {t('paste.create')}
        </Button>
        <Button variant="default" disabled={isSending} onClick={onCancel}>
          {t('cancel')}
        </Button>
      </Group>
    </Stack>
  );
}

const delimiterWords = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const;

/** What is wrong with a column as a field. */
function problemOf(column: Column, columns: readonly Column[]): string | null {
  if (!column.isUsed) return null;
  const others = columns.filter((other) => other !== column && other.isUsed);
  return fieldProblem({ ...newField(column.name.trim()), type: column.type }, others);
}

/** The table could not be made; nothing was inserted. */
function NotMade({ error }: { error: unknown }) {
  const t = useText('schema');
  const messages = error instanceof ApiError ? error.messages() : [String(error)];
  const isUnsure = error instanceof ApiError && error.isUnreachable;
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle aria-hidden />}
      title={t(isUnsure ? 'paste.ended.unsure' : 'paste.notMade')}
    >
      {messages.map((message) => (
        <Text key={message} size="sm">
          {message}
        </Text>
      ))}
      {isUnsure ? <Text size="sm">{t('paste.unknownMade')}</Text> : null}
      {error instanceof ApiError && error.requestId ? (
        <Group>
          <RequestId id={error.requestId} />
        </Group>
      ) : null}
    </Alert>
  );
}
