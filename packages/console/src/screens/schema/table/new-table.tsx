// A table that is not there yet: nothing of it is sent before it is saved (SCH-004, SCH-013, SCH-016, SCH-017).
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router';
import { text, useText } from '../../../text/index.ts';
import { notify } from '../../../ui/index.ts';
import { confirmLoss, DraftNotice, useDraft, useUnsavedGuard } from '../../../unsaved/index.ts';
import { makeAddress, serviceAddress, type TableView, tableAddress } from '../address/addresses.ts';
import { refreshService, type SchemaTable, useTables } from '../address/sources.ts';
import { unsavedQuestion } from '../address/unsaved.ts';
import { sendWrite } from '../address/write.ts';
import type { FieldDraft } from '../draft/field.ts';
import { createTableWrite, newTable } from '../draft/table.ts';
import { FieldPane } from '../field/field-pane.tsx';
import { PlanPanel } from '../plan/index.ts';
import { FieldsList } from './fields-list.tsx';
import { JsonView, ValidateButton } from './json-view.tsx';
import { QuickField } from './quick-field.tsx';
import { RelationsList } from './relations-list.tsx';
import { TableFrame } from './table-frame.tsx';
import { TableProperties } from './table-properties.tsx';
import { type TableTyped, useTableDraft } from './use-table-draft.ts';

const views: TableView[] = ['table', 'json'];
const emptyTable = newTable();

export function NewTable({ service }: { service: string }) {
  const t = useText('schema');
  const client = useQueryClient();
  const navigate = useNavigate();
  const draft = useTableDraft(emptyTable);
  const [view, setView] = useState<TableView>('table');
  /** The field in the pane; `name` is null for a new one. */
  const [pane, setPane] = useState<{ name: string | null } | null>(null);
  /** Keeps what is typed in the pane; null while that is nothing. */
  const keepPane = useRef<(() => Promise<boolean>) | null>(null);
  const onPaneUnsaved = useCallback((save: (() => Promise<boolean>) | null) => {
    keepPane.current = save;
  }, []);
  const leavePane = async () => keepPane.current === null || confirmLoss(unsavedQuestion(), keepPane.current);
  const openPane = async (next: typeof pane) => {
    if (next?.name === pane?.name || (await leavePane())) setPane(next);
  };
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [nameProblem, setNameProblem] = useState<string | null>(null);
  const form = useRef<HTMLDivElement>(null);
  const { data: tables = [] } = useTables(service);
  const home = makeAddress(service, 'table');
  const table = draft.current;
  const problemOf = (name: string): string | null =>
    name.trim() === ''
      ? t('table.nameMissing')
      : tables.some((other) => other.name.toLowerCase() === name.toLowerCase())
        ? t('table.nameExists')
        : null;
  const latest = useRef({ table, problemOf });
  latest.current = { table, problemOf };
  const focus = (selector: string) => form.current?.querySelector<HTMLElement>(selector)?.focus();

  /** The name of the table once it is stored; null where it is not. */
  const store = async (): Promise<string | null> => {
    const { table, problemOf } = latest.current;
    if (isSaving) return null;
    if (!table) {
      notify.error(text('schema:title'), text('schema:table.invalidJsonText'));
      return null;
    }
    const problem = problemOf(table.name);
    setNameProblem(problem);
    if (problem !== null) {
      notify.error(text('schema:table.validationError'), problem);
      focus('[data-table-name]');
      return null;
    }
    setSaving(true);
    setFailure(null);
    try {
      const { resource } = await sendWrite<{ resource: SchemaTable[] }>(service, createTableWrite(table));
      notify.success(text('schema:table.saved'));
      kept.forget();
      // What is stored is no longer asked about, in the pane neither.
      flushSync(() => {
        draft.reset();
        setPane(null);
      });
      void refreshService(client, service);
      return resource[0]?.name ?? table.name;
    } catch (error) {
      notify.error('', error);
      setFailure(error);
      return null;
    } finally {
      setSaving(false);
    }
  };
  const save = async (isNextWanted: boolean) => {
    if (!(await leavePane())) return;
    const name = await store();
    if (name === null) return;
    if (isNextWanted) {
      setView('table');
      focus('[data-table-name]');
    } else navigate(tableAddress(service, name));
  };
  const kept = useDraft<TableTyped>({
    form: `schema.${service}/new`,
    title: { key: 'schema:draft.newTable' },
    address: home,
    isDirty: draft.isDirty,
    typed: draft.typed,
    toDraft: () => draft.typed,
  });
  useUnsavedGuard({
    isDirty: draft.isDirty,
    isLostBetween: (_from, { pathname, search }) => draft.isDirty && pathname + search !== home,
    question: unsavedQuestion,
    save: async () => (await store()) !== null,
    discard: kept.forget,
  });

  const { field: fields } = draft.draft;
  const setFields = (field: FieldDraft[]) => draft.change({ field });
  const keep = (field: FieldDraft) =>
    setFields(
      pane?.name == null ? [...fields, field] : fields.map((present) => (present.name === pane.name ? field : present)),
    );
  const changeView = async (next: TableView) => {
    if (!(await leavePane())) return;
    if (view === 'json' && !draft.applyJson())
      return notify.error(text('schema:title'), text('schema:table.invalidJsonText'));
    setPane(null);
    setView(next);
  };
  const isReady = table !== null && problemOf(table.name) === null;

  return (
    <>
      <TableFrame
        ref={form}
        title={t('table.newTitle')}
        view={view}
        views={views}
        onView={(next) => void changeView(next)}
        actions={view === 'json' ? <ValidateButton draft={draft} /> : null}
        isDirty={draft.isDirty}
        isSaving={isSaving}
        canSave
        onSave={() => void save(false)}
        onSaveAnother={() => void save(true)}
        failure={failure}
        plan={<PlanPanel service={service} write={isReady && draft.isDirty ? createTableWrite(table) : null} />}
        buttons={
          <>
            <Button
              variant="default"
              disabled={!draft.isDirty || isSaving}
              title={t('field.anotherKeys')}
              aria-keyshortcuts="Meta+Enter Control+Enter"
              onClick={() => void save(true)}
            >
              {t('table.saveAndNext')}
            </Button>
            <Button variant="subtle" onClick={() => navigate(serviceAddress(service))}>
              {t('cancel')}
            </Button>
          </>
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
          <JsonView draft={draft} isReadOnly={false} />
        ) : (
          <>
            <TableProperties
              table={draft.draft}
              onChange={(part) => {
                setNameProblem(null);
                draft.change(part);
              }}
              isNew
              nameProblem={nameProblem}
              isReadOnly={false}
              onNameEnter={() => focus('[data-quick-name]')}
            />
            <FieldsList
              fields={fields}
              openName={pane?.name ?? null}
              open={(name) => ({ onClick: () => void openPane({ name }) })}
              onAdd={() => void openPane({ name: null })}
              onDelete={({ name }) => {
                if (name === pane?.name) setPane(null);
                setFields(fields.filter((field) => field.name !== name));
              }}
              quick={
                <QuickField
                  others={fields}
                  tables={tables.map(({ name }) => name)}
                  onAdd={(field) => {
                    setFields([...fields, field]);
                    return null;
                  }}
                />
              }
            />
            <RelationsList relations={[]} openName={null} addressOf={() => home} />
          </>
        )}
      </TableFrame>
      {pane && view === 'table' ? (
        <FieldPane
          key={JSON.stringify(pane)}
          service={service}
          table={draft.draft}
          name={pane.name}
          keep={keep}
          onUnsaved={onPaneUnsaved}
          onClose={() => setPane(null)}
        />
      ) : null}
    </>
  );
}
