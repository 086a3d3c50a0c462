// A table that is not there yet: nothing of it is sent before it is saved (SCH-004, SCH-013, SCH-016, SCH-017).
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { text, useText } from '../../../text/index.ts';
import { notify } from '../../../ui/index.ts';
import { makeAddress, serviceAddress, type TableView, tableAddress } from '../address/addresses.ts';
import { refreshService, type SchemaTable, useTables } from '../address/sources.ts';
import { confirmLeave, useLetAllPass, useUnsavedGuard } from '../address/unsaved-guard.tsx';
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
import { useTableDraft } from './use-table-draft.ts';

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
  const isPaneDirty = useRef(false);
  const onPaneDirty = useCallback((isDirty: boolean) => {
    isPaneDirty.current = isDirty;
  }, []);
  const leavePane = async () => !isPaneDirty.current || confirmLeave();
  const openPane = async (next: typeof pane) => {
    if (next?.name === pane?.name || (await leavePane())) setPane(next);
  };
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [nameProblem, setNameProblem] = useState<string | null>(null);
  const form = useRef<HTMLDivElement>(null);
  const { data: tables = [] } = useTables(service);
  const home = makeAddress(service, 'table');
  const letAllPass = useLetAllPass();
  useUnsavedGuard(draft.isDirty, ({ pathname, search }) => pathname + search !== home);

  const table = draft.current;
  const problemOf = (name: string): string | null =>
    name.trim() === ''
      ? t('table.nameMissing')
      : tables.some((other) => other.name.toLowerCase() === name.toLowerCase())
        ? t('table.nameExists')
        : null;
  const focus = (selector: string) => form.current?.querySelector<HTMLElement>(selector)?.focus();

  const save = async (isNextWanted: boolean) => {
    if (isSaving) return;
    if (!table) return notify.error(text('schema:title'), text('schema:table.invalidJsonText'));
    const problem = problemOf(table.name);
    setNameProblem(problem);
    if (problem !== null) {
      notify.error(text('schema:table.validationError'), problem);
      return focus('[data-table-name]');
    }
    if (!(await leavePane())) return;
    setSaving(true);
    setFailure(null);
    try {
      const { resource } = await sendWrite<{ resource: SchemaTable[] }>(service, createTableWrite(table));
      notify.success(text('schema:table.saved'));
      letAllPass();
      draft.reset();
      setPane(null);
      void refreshService(client, service);
      if (isNextWanted) {
        setView('table');
        focus('[data-table-name]');
      } else navigate(tableAddress(service, resource[0]?.name ?? table.name));
    } catch (error) {
      notify.error('', error);
      setFailure(error);
    }
    setSaving(false);
  };

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
          onDirty={onPaneDirty}
          onClose={() => setPane(null)}
        />
      ) : null}
    </>
  );
}
