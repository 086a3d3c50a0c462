// The editor of a field (SCH-006, SCH-011), beside the table it belongs to. field-form.tsx has its inputs, form.ts what they hold and
// what is sent of it; samples.tsx shows what the field holds.
import { Button } from '@mantine/core';
import { verbMask } from '@sluice/contract';
import { IconTrash } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { SidePane, sidePaneClasses } from '../../../database/index.ts';
import { text, useText } from '../../../text/index.ts';
import { describeError, Failed, Loading, notify } from '../../../ui/index.ts';
import { confirmLoss, DraftNotice, useDraft, useUnsavedGuard } from '../../../unsaved/index.ts';
import { paneAddress } from '../address/addresses.ts';
import { refreshService, type SchemaTable, useTable } from '../address/sources.ts';
import { unsavedQuestion } from '../address/unsaved.ts';
import { usePlace } from '../address/use-place.ts';
import { sendWrite } from '../address/write.ts';
import { type FieldDraft, fieldDraftOf, newField, saveFieldWrite } from '../draft/field.ts';
import type { TableDraft } from '../draft/table.ts';
import { PlanPanel, RenameButton, UsedBy } from '../plan/index.ts';
import classes from './field.module.css';
import { FieldForm } from './field-form.tsx';
import {
  type FieldForm as Form,
  fieldToSend,
  findProblems,
  formOf,
  isSame,
  type Original,
  type Problems,
} from './form.ts';
import { newReference, rulesOf } from './reference.ts';
import { Samples } from './samples.tsx';
import { useDeleteField } from './use-delete-field.ts';

interface FieldPaneProps {
  service: string;
  /** As the server describes it, or as it is drafted. */
  table: SchemaTable | TableDraft;
  /** The field; null: a new one. */
  name: string | null;
  /**
   * In a table that is not saved yet: keeps the field there instead of sending it (SCH-013). The pane closes itself by `onClose`, or
   * stays for another new one.
   */
  keep?: (field: FieldDraft) => void;
  /** Told how to keep what is typed and not kept yet; null while that is nothing. */
  onUnsaved?: (save: (() => Promise<boolean>) | null) => void;
  onClose: () => void;
}

export function FieldPane(props: FieldPaneProps) {
  const { service, table, name, keep, onClose } = props;
  const t = useText('schema');
  const { isFetching } = useTable(service, keep ? '' : table.name);
  if (name === null) return <NewField {...props} />;
  const field = table.field.find((candidate) => candidate.name === name);
  if (!field) {
    return (
      <EmptyPane title={t('field.editTitle', { name })} onClose={onClose}>
        {isFetching ? (
          <Loading shape="form" />
        ) : (
          <Failed title={t('field.missing', { name })} error={t('field.missingText')} />
        )}
      </EmptyPane>
    );
  }
  if (keep) return <FieldEditor {...props} original={null} initial={field as FieldDraft} />;
  const original = field as NonNullable<Original>;
  return <FieldEditor {...props} original={original} initial={fieldDraftOf(original)} />;
}

/** A new field; with `?ref_table=` and `ref_field=`, as the diagram connects tables, one that refers there. */
function NewField(props: FieldPaneProps) {
  const { service, table, onClose } = props;
  const t = useText('schema');
  const [query] = useSearchParams();
  const refTable = query.get('ref_table') ?? '';
  const refField = query.get('ref_field') ?? '';
  const isSelf = refTable === table.name;
  const read = useTable(service, isSelf ? '' : refTable);
  if (refTable === '') return <FieldEditor {...props} original={null} initial={newField()} />;
  if (read.isLoading)
    return (
      <EmptyPane title={t('field.newTitle')} onClose={onClose}>
        <Loading shape="form" />
      </EmptyPane>
    );
  const target = isSelf ? (table as SchemaTable) : read.data;
  const initial = newReference(
    refTable,
    refField,
    target?.field.find(({ name }) => name === refField),
  );
  return <FieldEditor key={query.toString()} {...props} original={null} initial={initial} />;
}

/** A pane without a form. */
function EmptyPane({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  const t = useText('schema');
  const close = (
    <Button variant="default" onClick={onClose}>
      {t('cancel')}
    </Button>
  );
  return (
    <SidePane title={title} onClose={onClose} onSave={null} actions={close}>
      {children}
    </SidePane>
  );
}

interface FieldEditorProps extends FieldPaneProps {
  original: Original;
  initial: FieldDraft;
}

/** What is sent of a field as it was opened: what differs from it is a change. */
const opened = (initial: FieldDraft, original: Original) => {
  const form = formOf(initial);
  return { form, sent: fieldToSend(form, original), original };
};

function FieldEditor({ service, table, name, keep, onUnsaved, onClose, original, initial }: FieldEditorProps) {
  const t = useText('schema');
  const client = useQueryClient();
  const navigate = useNavigate();
  const location = useLocation();
  const { view } = usePlace();
  const deleteField = useDeleteField();
  const nameInput = useRef<HTMLInputElement>(null);
  const [base, setBase] = useState(() => opened(initial, original));
  const [form, setForm] = useState(base.form);
  const [tries, setTries] = useState(0);
  // Told at the top until something is changed: the pane puts the focus where it says that something is wrong.
  const [problemsAtSave, setProblemsAtSave] = useState(0);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const [madeNames, setMadeNames] = useState<string[]>([]);

  const isNew = name === null;
  const sent = fieldToSend(form, base.original);
  const isDirty = !isSame(sent, base.sent);
  // The table was read again: what is not being changed is shown as it is now.
  if (!isDirty && original && !isSame(original, base.original)) {
    const next = opened(initial, original);
    setBase(next);
    setForm(next.form);
  }
  const others = [...table.field.filter((field) => field.name !== name), ...madeNames.map((made) => ({ name: made }))];
  const problems = findProblems(form, others, base.original);
  const problemCount = Object.keys(problems).length;

  const access = 'access' in table && !keep ? table.access : null;
  const canWrite = access === null || (access & verbMask.PUT) !== 0;
  const canDelete = access !== null && (access & verbMask.DELETE) !== 0;
  const write = keep || !isDirty || problemCount > 0 || !canWrite ? null : saveFieldWrite(table.name, sent, isNew);

  const change = (next: Form) => {
    setForm(next);
    setFailure(null);
    setProblemsAtSave(0);
  };
  const close = async () => {
    if (keep && isDirty && !(await confirmLoss(unsavedQuestion(), store))) return;
    onClose();
  };
  const startAnother = () => {
    const next = opened(newField(), null);
    setMadeNames((names) => [...names, sent.name]);
    setBase(next);
    setForm(next.form);
    setTries(0);
    nameInput.current?.focus();
  };

  /** True once it is stored, or kept with its table. */
  const store = async (): Promise<boolean> => {
    if (isBusy || !canWrite) return false;
    setTries((count) => count + 1);
    setProblemsAtSave(problemCount);
    setFailure(null);
    if (problemCount > 0) return false;
    if (keep) {
      // The table may be saved next: it has the field by then.
      flushSync(() => keep(sent));
      return true;
    }
    setBusy(true);
    try {
      await sendWrite(service, saveFieldWrite(table.name, sent, isNew));
    } catch (error) {
      setFailure(error);
      notify.error(t('field.saveFailed'), error);
      return false;
    } finally {
      setBusy(false);
    }
    notify.success(t('field.saved'));
    kept.forget();
    return true;
  };
  const save = async (isAnotherNext = false) => {
    if (!(await store())) return;
    if (isAnotherNext) startAnother();
    else {
      letPass();
      onClose();
    }
    if (!keep) await refreshService(client, service);
  };
  const storeToLeave = async (): Promise<boolean> => {
    const isStored = await store();
    if (isStored && keep) flushSync(onClose);
    if (isStored && !keep) void refreshService(client, service);
    return isStored;
  };
  const kept = useDraft<Form>({
    form: `schema.${service}/${table.name}/field/${name ?? ''}`,
    title: { key: 'schema:draft.field', values: { table: table.name } },
    address: location.pathname + location.search,
    isDirty: isDirty && !keep,
    typed: form,
    toDraft: () => form,
  });
  const letPass = useUnsavedGuard({
    isDirty,
    isLostBetween: (_from, next) =>
      isDirty && (next.pathname !== location.pathname || (keep !== undefined && next.search !== location.search)),
    question: unsavedQuestion,
    save: canWrite ? storeToLeave : undefined,
    discard: kept.forget,
  });
  const latestStore = useRef(storeToLeave);
  latestStore.current = storeToLeave;
  useEffect(() => {
    onUnsaved?.(isDirty ? () => latestStore.current() : null);
    return () => onUnsaved?.(null);
  }, [onUnsaved, isDirty]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (!isNew || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void save(true);
  };

  const shownProblems = tries > 0 ? problems : early(problems);
  const saveLabel = keep && isNew ? t('field.add') : t('save');
  const lastMade = madeNames.at(-1);
  return (
    <SidePane
      title={isNew ? t('field.newTitle') : t('field.editTitle', { name })}
      note={
        <p className={classes.note} role="status">
          {isDirty && !isNew
            ? t('field.changed')
            : lastMade !== undefined
              ? t('field.madeOne', { name: lastMade })
              : table.name
                ? t('field.ofTable', { table: table.name })
                : t('field.ofNewTable')}
        </p>
      }
      onClose={() => void close()}
      onSave={() => void save()}
      problem={
        failure
          ? describeError(failure).messages.join(' ')
          : problemsAtSave > 0
            ? t('field.problems', { count: problemsAtSave })
            : undefined
      }
      problemShown={tries}
      actions={
        <>
          <Button loading={isBusy} disabled={!canWrite} onClick={() => void save()}>
            {saveLabel}
          </Button>
          {isNew ? (
            <Button
              variant="default"
              disabled={isBusy || !canWrite}
              title={t('field.anotherKeys')}
              onClick={() => void save(true)}
            >
              {t(keep ? 'field.addAnother' : 'field.saveAnother')}
            </Button>
          ) : null}
          <Button variant="default" className={sidePaneClasses.cancel!} onClick={() => void close()}>
            {t('cancel')}
          </Button>
          {name !== null && !keep ? (
            <Button
              variant="subtle"
              className={classes.danger!}
              leftSection={<IconTrash className={classes.icon} aria-hidden />}
              disabled={isBusy || !canDelete}
              title={canDelete ? undefined : t('field.noDelete')}
              onClick={() => void deleteField(service, table.name, name)}
            >
              {t('field.delete')}
            </Button>
          ) : null}
        </>
      }
    >
      {kept.found && !keep ? (
        <DraftNotice
          restore={() => {
            if (kept.found) change(kept.found.values);
            kept.dismiss();
          }}
          discard={kept.forget}
        />
      ) : null}
      {canWrite ? null : <p className={classes.refused}>{t('field.noWrite')}</p>}
      <form
        data-inputs
        className={classes.form}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        onKeyDown={onKeyDown}
      >
        <fieldset disabled={!canWrite} className={classes.sections}>
          <FieldForm
            service={service}
            table={table}
            form={form}
            original={base.original}
            rules={base.original ? rulesOf(table as SchemaTable, base.original.name) : null}
            problems={shownProblems}
            nameInput={nameInput}
            rename={
              base.original && !keep ? (
                <RenameButton
                  service={service}
                  table={table.name}
                  field={base.original.name}
                  refusal={isDirty ? t('field.renameFirst') : undefined}
                  onRenamed={(renamed) =>
                    navigate(paneAddress(service, table.name, 'field', renamed, view), { replace: true })
                  }
                />
              ) : null
            }
            onChange={change}
          />
        </fieldset>
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
      {base.original && !keep ? (
        <div className={classes.beside}>
          <Samples service={service} table={table as SchemaTable} field={base.original} />
          <UsedBy service={service} table={table.name} field={base.original.name} />
        </div>
      ) : null}
      {keep ? null : (
        <div className={classes.plan}>
          <PlanPanel service={service} write={write} />
        </div>
      )}
    </SidePane>
  );
}

/** Problems that show during typing; others may still be solved by further input. */
const early = ({ name, length, default: preset, validation }: Problems): Problems => ({
  ...(name && name !== text('schema:field.nameAndType') ? { name } : {}),
  ...(length ? { length } : {}),
  ...(preset ? { default: preset } : {}),
  ...(validation ? { validation } : {}),
});
