// A table that is there: what is said of it is saved by the form, its fields and relations each by their own pane (SCH-014).
import { Button, Text } from '@mantine/core';
import { IconTable } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { Link, Navigate, useNavigate } from 'react-router';
import { ApiError } from '../../../api/index.ts';
import { useHasScreen } from '../../../frame/screen-list.ts';
import { text, useText } from '../../../text/index.ts';
import { describeError, Failed, Loading, NotAllowed, notify, Page } from '../../../ui/index.ts';
import { DraftNotice, useDraft, useUnsavedGuard } from '../../../unsaved/index.ts';
import { paneAddress, serviceAddress, type TableView, tableAddress, tableViews } from '../address/addresses.ts';
import { rightsOf } from '../address/rights.ts';
import { aliasQuery, refreshService, type SchemaTable, tableQuery, useTable, useTables } from '../address/sources.ts';
import { unsavedQuestion } from '../address/unsaved.ts';
import { usePlace } from '../address/use-place.ts';
import { sendWrite } from '../address/write.ts';
import { saveFieldWrite } from '../draft/field.ts';
import { alterTableWrite, draftOf, type TableDraft } from '../draft/table.ts';
import { useDeleteField } from '../field/use-delete-field.ts';
import { PlanPanel, RenameButton, UsedBy } from '../plan/index.ts';
import { useDeleteRelation } from '../relation/use-delete-relation.ts';
import { Constraints } from './constraints.tsx';
import { FieldsList } from './fields-list.tsx';
import { JsonView, ValidateButton } from './json-view.tsx';
import { QuickField } from './quick-field.tsx';
import { RelationsList } from './relations-list.tsx';
import { TableFrame } from './table-frame.tsx';
import { TableProperties } from './table-properties.tsx';
import { type TableTyped, useTableDraft } from './use-table-draft.ts';

interface TableProps {
  service: string;
  table: string;
}

export function SavedTable({ service, table }: TableProps) {
  const { data, error, refetch } = useTable(service, table);
  if (data) return <TableEditor service={service} table={table} saved={data} />;
  return (
    <Page title={table}>
      {error ? (
        <Unreadable service={service} table={table} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading shape="form" />
      )}
    </Page>
  );
}

/** Why the table is not shown. Someone who came by its alias, as records are addressed, is led to its name. */
function Unreadable({ service, table, error, onRetry }: TableProps & { error: unknown; onRetry: () => void }) {
  const t = useText('schema');
  const { view, pane } = usePlace();
  const status = error instanceof ApiError ? error.status : null;
  const { data: realName, isLoading } = useQuery({ ...aliasQuery(service, table), enabled: status === 404 });
  if (isLoading) return <Loading shape="form" />;
  if (realName) {
    const { part, name } = pane ?? {};
    const address = part
      ? paneAddress(service, realName, part, name ?? undefined, view)
      : tableAddress(service, realName, view);
    return <Navigate to={address} replace />;
  }
  if (status === 403) return <NotAllowed text={describeError(error).messages.join(' ')} />;
  if (status === 404) return <Failed error={t('tableMissingText')} title={t('tableMissing', { table })} />;
  return <Failed error={error} title={t('tableFailed', { table })} onRetry={onRetry} />;
}

function TableEditor({ service, table, saved }: TableProps & { saved: SchemaTable }) {
  const t = useText('schema');
  const client = useQueryClient();
  const navigate = useNavigate();
  const { view, pane } = usePlace();
  const base = useMemo(() => draftOf(saved), [saved]);
  const draft = useTableDraft(base);
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const rights = rightsOf(saved.access);
  useJsonRule(view, draft, () => navigate(tableAddress(service, table, 'json'), { replace: true }));

  const write = draft.changes && draft.isDirty ? alterTableWrite(table, sentOf(base, draft.changes)) : null;
  /** True once it is stored. */
  const save = async (): Promise<boolean> => {
    if (isSaving || !draft.isDirty) return false;
    if (!write) {
      notify.error(text('schema:title'), text('schema:table.invalidJsonText'));
      return false;
    }
    setSaving(true);
    setFailure(null);
    try {
      await sendWrite(service, write);
      notify.success(text('schema:table.saved'));
      // Shown at once, also where the table cannot be read again just now.
      const { alias, label, plural, description, name_field } = draft.current ?? base;
      const said = { alias, label: label || saved.label, plural: plural || saved.plural, description, name_field };
      client.setQueryData<SchemaTable>(tableQuery(service, table).queryKey, { ...saved, ...said });
      await refreshService(client, service);
      draft.reset();
      kept.forget();
      return true;
    } catch (error) {
      notify.error('', error);
      setFailure(error);
      return false;
    } finally {
      setSaving(false);
    }
  };
  const kept = useDraft<TableTyped>({
    form: `schema.${service}/${table}`,
    title: { key: 'schema:draft.table', values: { table } },
    address: tableAddress(service, table),
    isDirty: draft.isDirty,
    typed: draft.typed,
    toDraft: () => draft.typed,
  });
  const letPass = useUnsavedGuard({
    isDirty: draft.isDirty,
    isLostBetween: (_from, next) => draft.isDirty && !isSameForm(next, service, table),
    question: unsavedQuestion,
    save: rights.saveTable ? save : undefined,
    discard: kept.forget,
  });

  return (
    <TableFrame
      title={saved.name}
      view={view}
      views={tableViews}
      onView={(next) => navigate(tableAddress(service, table, next))}
      actions={
        <>
          {view === 'json' ? <ValidateButton draft={draft} /> : null}
          <ViewData service={service} table={saved.alias || saved.name} />
        </>
      }
      isDirty={draft.isDirty}
      isSaving={isSaving}
      canSave={rights.saveTable}
      onSave={() => void save()}
      failure={failure}
      plan={<PlanPanel service={service} write={write} />}
      buttons={
        <Button
          variant="subtle"
          onClick={() => {
            if (!draft.isDirty) return navigate(serviceAddress(service));
            draft.reset();
            setFailure(null);
          }}
        >
          {draft.isDirty ? t('table.discard') : t('cancel')}
        </Button>
      }
    >
      {kept.found ? (
        <DraftNotice
          restore={() => {
            if (kept.found) draft.restore(kept.found.values);
            kept.dismiss();
          }}
          discard={kept.forget}
        />
      ) : null}
      {view === 'json' ? (
        <JsonView draft={draft} isReadOnly={!rights.saveTable} />
      ) : (
        <>
          <TableProperties
            table={draft.draft}
            onChange={draft.change}
            isNew={false}
            isReadOnly={!rights.saveTable}
            besideName={
              <RenameButton
                service={service}
                table={table}
                onRenamed={(name) => {
                  letPass();
                  navigate(tableAddress(service, name), { replace: true });
                }}
              />
            }
          />
          <Fields
            service={service}
            table={table}
            saved={saved}
            draft={draft.draft}
            base={base}
            openName={pane?.part === 'field' ? pane.name : null}
          />
          <Relations service={service} saved={saved} openName={pane?.part === 'relation' ? pane.name : null} />
          <Constraints table={saved} />
          <UsedBy service={service} table={table} />
        </>
      )}
    </TableFrame>
  );
}

interface FieldsProps extends TableProps {
  saved: SchemaTable;
  draft: TableDraft;
  base: TableDraft;
  openName: string | null;
}

/** Each field is saved for itself, unless all of them were changed as JSON: then they wait for the table to be saved. */
function Fields({ service, table, saved, draft, base, openName }: FieldsProps) {
  const t = useText('schema');
  const client = useQueryClient();
  const navigate = useNavigate();
  const deleteField = useDeleteField();
  const { data: tables = [] } = useTables(service);
  const rights = rightsOf(saved.access);
  const isWaiting = draft.field !== base.field;
  const mayAdd = rights.addParts && !isWaiting && !saved.is_view;
  return (
    <FieldsList
      fields={draft.field}
      openName={openName}
      open={(name) => ({ to: paneAddress(service, table, 'field', name) })}
      onAdd={mayAdd ? () => navigate(paneAddress(service, table, 'field')) : undefined}
      onDelete={rights.drop && !isWaiting ? ({ name }) => void deleteField(service, table, name) : undefined}
      note={isWaiting ? <Text size="sm">{t('table.fieldsWait')}</Text> : null}
      quick={
        mayAdd ? (
          <QuickField
            others={draft.field}
            tables={tables.map(({ name }) => name)}
            onAdd={async (field) => {
              try {
                await sendWrite(service, saveFieldWrite(table, field, true));
              } catch (error) {
                notify.error(text('schema:field.saveFailed'), error);
                return describeError(error).messages.join(' ');
              }
              notify.success(text('schema:field.saved'));
              await refreshService(client, service);
              return null;
            }}
          />
        ) : null
      }
    />
  );
}

function Relations({ service, saved, openName }: { service: string; saved: SchemaTable; openName: string | null }) {
  const navigate = useNavigate();
  const deleteRelation = useDeleteRelation();
  const rights = rightsOf(saved.access);
  const { name: table } = saved;
  return (
    <RelationsList
      relations={saved.related}
      openName={openName}
      addressOf={(name) => paneAddress(service, table, 'relation', name)}
      onAdd={rights.addParts ? () => navigate(paneAddress(service, table, 'relation')) : undefined}
      onDelete={rights.drop ? ({ name }) => void deleteRelation(service, table, name) : undefined}
    />
  );
}

/** Leads to the records of the table, which has its alias there. */
function ViewData({ service, table }: TableProps) {
  const t = useText('schema');
  const hasScreen = useHasScreen();
  if (!hasScreen('/data')) return null;
  return (
    <Button
      component={Link}
      to={`/data/${encodeURIComponent(service)}/${encodeURIComponent(table)}`}
      size="xs"
      variant="default"
      leftSection={<IconTable size="1rem" aria-hidden />}
    >
      {t('table.viewData')}
    </Button>
  );
}

/** JSON that was typed goes into the form when that is shown; while it is none, the JSON stays (SCH-015, SCH-021). */
function useJsonRule(view: TableView, draft: ReturnType<typeof useTableDraft>, showJson: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another view is shown
  useEffect(() => {
    if (view === 'json' || !draft.hasJson || draft.applyJson()) return;
    notify.error(text('schema:title'), text('schema:table.invalidJsonText'));
    showJson();
  }, [view]);
}

/** The form of a table and its JSON are one; the diagram and the history are not. */
const isSameForm = ({ pathname, search }: { pathname: string; search: string }, service: string, table: string) => {
  const home = tableAddress(service, table);
  const view = new URLSearchParams(search).get('view') ?? 'table';
  return (pathname === home || pathname.startsWith(`${home}/`)) && (view === 'table' || view === 'json');
};

/** The table with what of it changed. Fields that were not changed are not sent back: others may have changed them meanwhile. */
const sentOf = ({ name, alias, label, plural, description, name_field }: TableDraft, changes: Partial<TableDraft>) => ({
  ...{ name, alias, label, plural, description, name_field },
  ...changes,
});
