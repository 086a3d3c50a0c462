import { Alert, Button, Group, Text } from '@mantine/core';
import { IconAlertTriangle, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { ApiError, useSession } from '../api/index.ts';
import { type PermissionTexts, type Row, useForbidden } from '../list/index.ts';
import { type EditorArea, useSectionTexts, useText } from '../text/index.ts';
import { Failed, Loading, Page, RequestId } from '../ui/index.ts';
import { DraftNotice } from '../unsaved/index.ts';
import { ConflictDialog } from './conflict/conflict-dialog.tsx';
import classes from './editor.module.css';
import { EditorContext } from './editor-context.ts';
import type { EditorTab } from './editor-tabs.ts';
import { useLeadToError } from './errors/use-lead-to-error.ts';
import { Pane } from './pane.tsx';
import type { EditorSource, FormValues } from './source.ts';
import { RecordSummary } from './summary/record-summary.tsx';
import { type EditorController, useEditorController } from './use-editor-controller.ts';
import { readRecord, recordKey } from './writing/records.ts';

export interface EditorScreenProps<F extends FormValues> extends Omit<EditorSource<F>, 'texts'> {
  /** Id of the record, from the address; null for a new one. */
  id: string | null;
  /** The area of texts whose words the editor says (text/section-texts.ts). */
  texts: EditorArea;
  permissionTexts: PermissionTexts;
  /** Stands above the tabs, outside of the form. */
  above?: ReactNode;
  /** Parts of a large form, each with an address below the editor's. */
  tabs?: (editor: EditorController<F>) => EditorTab[];
  /** More buttons, left of those that save. */
  buttons?: (editor: EditorController<F>) => ReactNode;
  children: ReactNode;
}

/** A whole editor for creating and editing: it loads, then holds the form. */
export function EditorScreen<F extends FormValues>(props: EditorScreenProps<F>) {
  const { id, resource, related, base, permissionTexts } = props;
  const t = useText('editor');
  const texts = useSectionTexts(props.texts);
  const Shell = props.inPane ? Pane : Page;
  const query = useQuery({
    queryKey: recordKey(resource, id, related),
    queryFn: ({ signal }) => readRecord(props, id ?? '', signal),
    enabled: id !== null,
    // What is being edited is never replaced underneath: it is read when the editor opens.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    // Responses are told apart by identity: each has an ETag of its own.
    structuralSharing: false,
  });
  const isForbidden = useForbidden(query.error, texts.title, resource, permissionTexts);
  if (id === null) return <EditorForm key="create" {...props} texts={texts} area={props.texts} record={null} />;
  if (query.data !== undefined)
    return <EditorForm key={id} {...props} texts={texts} area={props.texts} record={query.data} />;
  return (
    <Shell title={texts.thing}>
      {isForbidden ? null : query.error ? (
        <>
          <Failed
            error={query.error}
            title={isNotFound(query.error) ? t('notFound') : t('failed')}
            onRetry={isNotFound(query.error) ? undefined : () => void query.refetch()}
          />
          <Group justify="center">
            <Button component={Link} to={base} variant="subtle">
              {t('back')}
            </Button>
          </Group>
        </>
      ) : (
        <Loading shape="form" />
      )}
    </Shell>
  );
}

const isNotFound = (error: unknown) => error instanceof ApiError && error.status === 404;

type EditorFormProps<F extends FormValues> = Omit<EditorScreenProps<F>, 'texts'> &
  EditorSource<F> & { area: EditorArea; record: Row | null };

function EditorForm<F extends FormValues>(props: EditorFormProps<F>) {
  const { texts, area, above, tabs, buttons, children, record } = props;
  const t = useText('editor');
  const editor = useEditorController<F>(props, area, record);
  const { isNew, isDeletable, isSaving } = editor;
  const Shell = props.inPane ? Pane : Page;
  const formRef = useRef<HTMLFormElement>(null);
  const tabList = tabs?.(editor);
  useLeadToError({ shown: editor.errorsShown, errors: editor.form.errors }, tabList, formRef);
  useEditorKeys(formRef, {
    save: () => void editor.save(false),
    close: editor.close,
  });

  return (
    <EditorContext.Provider value={editor as unknown as EditorController<FormValues>}>
      <Shell
        title={isNew ? t('create', { thing: texts.thing }) : t('edit', { name: nameOfRecord(props, record) })}
        {...(tabList ? { tabs: tabList } : {})}
        {...(props.inPane ? {} : { above })}
        actions={
          <>
            {isNew || editor.id === null ? null : <HistoryLink resource={props.resource} id={editor.id} />}
            {isDeletable ? (
              <Button
                variant="default"
                className={classes.danger ?? ''}
                leftSection={<IconTrash className={classes.icon} aria-hidden />}
                disabled={isSaving}
                onClick={() => void editor.remove()}
              >
                {t('delete')}
              </Button>
            ) : null}
          </>
        }
      >
        <form
          ref={formRef}
          className={classes.form}
          noValidate
          onSubmit={(event: FormEvent) => {
            event.preventDefault();
            void editor.save(false);
          }}
        >
          {editor.draft ? (
            <DraftNotice isOld={editor.isDraftOld} restore={editor.restoreDraft} discard={editor.discardDraft} />
          ) : null}
          {editor.failure ? <Refusal error={editor.failure} /> : null}
          <div className={classes.body}>
            <div className={classes.sections}>{children}</div>
            {isNew || editor.id === null || props.inPane ? null : (
              <RecordSummary resource={props.resource} id={editor.id} />
            )}
          </div>
          <SaveBar editor={editor} alwaysCloses={props.closesOnSave === true} staysOpen={props.isNamed === true}>
            {buttons?.(editor)}
          </SaveBar>
        </form>
        {editor.conflict ? (
          <ConflictDialog
            conflict={editor.conflict}
            name={nameOfRecord(props, record)}
            isSaving={isSaving}
            describeValue={props.describeValue}
            onResolve={(choices) => void editor.resolve(choices)}
            onDelete={() => void editor.deleteAnyway()}
            onSaveAsNew={() => void editor.saveAsNew()}
            onDiscard={editor.discard}
            onClose={editor.dismissConflict}
          />
        ) : null}
      </Shell>
    </EditorContext.Provider>
  );
}

/** Who changed the record, and when; for those who may read the audit. */
function HistoryLink({ resource, id }: { resource: string; id: string }) {
  const t = useText('editor');
  if (useSession()?.is_sys_admin !== true) return null;
  const filter = new URLSearchParams({ resource, record: id });
  return (
    <Button component={Link} to={`/audit?${filter}`} variant="subtle">
      {t('history')}
    </Button>
  );
}

/** The stored name: what is being typed does not change the heading. */
function nameOfRecord<F extends FormValues>(source: EditorSource<F>, record: Row | null): string {
  if (record === null) return '';
  const form = source.toForm?.(record) ?? (record as F);
  return source.nameOf?.(form) ?? String(record.name ?? record.id);
}

interface SaveBarProps<F extends FormValues> {
  editor: EditorController<F>;
  /** Saving closes: no second button for that. */
  alwaysCloses: boolean;
  /** Saving a new one does not close. */
  staysOpen: boolean;
  children: ReactNode;
}

/** Always in sight: what is unsaved, what is wrong, and the buttons. */
function SaveBar<F extends FormValues>({ editor, alwaysCloses, staysOpen, children }: SaveBarProps<F>) {
  const t = useText('editor');
  const { form, isNew, isDirty, isSaving, canSave } = editor;
  const errorCount = Object.keys(form.errors).length;
  return (
    <div className={classes.bar}>
      {canSave ? (
        <Button type="submit" loading={isSaving} aria-keyshortcuts="Meta+S Control+S">
          {t('save')}
        </Button>
      ) : null}
      {canSave && (!isNew || staysOpen) && !alwaysCloses ? (
        <Button variant="default" disabled={isSaving} onClick={() => void editor.save(true)}>
          {t('saveAndClose')}
        </Button>
      ) : null}
      <Button variant={canSave ? 'subtle' : 'default'} onClick={editor.close}>
        {t('close')}
      </Button>
      {children}
      <div className={classes.status} role="status">
        {errorCount > 0 ? (
          <Text size="sm" className={classes.wrong}>
            {t('errors', { count: errorCount })}
          </Text>
        ) : isDirty ? (
          <Text size="sm" className={classes.unsaved}>
            {t('unsaved')}
          </Text>
        ) : null}
      </div>
    </div>
  );
}

/** Why the server refused, in place and until the next try. */
function Refusal({ error }: { error: unknown }) {
  const t = useText('editor');
  const messages =
    error instanceof ApiError ? error.messages() : [error instanceof Error ? error.message : String(error)];
  return (
    <Alert
      color="red"
      variant="light"
      className={classes.refusal ?? ''}
      icon={<IconAlertTriangle aria-hidden />}
      title={t('notSaved')}
      role="alert"
    >
      {messages.map((message) => (
        <Text key={message} size="sm" className={classes.message}>
          {message}
        </Text>
      ))}
      {error instanceof ApiError && error.requestId ? (
        <div className={classes.requestId}>
          <RequestId id={error.requestId} />
        </div>
      ) : null}
    </Alert>
  );
}

/** ⌘S saves; Escape closes, which asks when something changed. Open menus, dialogs and editors keep their own Escape. */
function useEditorKeys(formRef: React.RefObject<HTMLElement | null>, keys: { save: () => void; close: () => void }) {
  const current = useRef(keys);
  current.current = keys;
  useEffect(() => {
    // This runs before the open list sees the key: afterwards the list no longer looks open.
    let isHandled = false;
    const note = ({ target }: KeyboardEvent) => {
      isHandled =
        document.querySelector('[role="dialog"], [role="menu"]') !== null ||
        (target instanceof Element &&
          target.closest('[role="menu"], [role="listbox"], [role="dialog"], [aria-expanded="true"], .cm-editor') !==
            null);
    };
    const listen = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && !event.altKey && event.key.toLowerCase() === 's') {
        event.preventDefault();
        if (!document.querySelector('[role="dialog"]')) current.current.save();
        return;
      }
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      const target = event.target instanceof Element ? event.target : null;
      const isInside = target === document.body || formRef.current?.contains(target);
      if (isInside && !isHandled) current.current.close();
    };
    document.addEventListener('keydown', note, true);
    document.addEventListener('keydown', listen);
    return () => {
      document.removeEventListener('keydown', note, true);
      document.removeEventListener('keydown', listen);
    };
  }, [formRef]);
}
