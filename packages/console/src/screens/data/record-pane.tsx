// The record's pane: edit one, or make one (OPEN-124). What is typed lives with the table, so that closing keeps it (OPEN-123).
import { ActionIcon, Button, FocusTrap, Text, Title } from '@mantine/core';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { IconTrash, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { useText } from '../../text/index.ts';
import { breakpoints } from '../../theme/index.ts';
import { Failed, Loading } from '../../ui/index.ts';
import classes from './data.module.css';
import { FieldInput } from './field-input.tsx';
import paneClasses from './pane.module.css';
import type { Row, Schema } from './sources.ts';
import { useRecord } from './use-record.ts';
import type { TableState } from './use-table.ts';
import { changed, lockOf, toDraft } from './values.ts';

interface PaneProps {
  title: string;
  note?: ReactNode;
  onClose: () => void;
  onSave: (() => void) | null;
  /** Objection to the whole record. */
  problem?: string | undefined;
  /** Buttons under the title: at the bottom, toasts would cover them. */
  actions: ReactNode;
  children: ReactNode;
}

function Pane({ title, note, onClose, onSave, problem, actions, children }: PaneProps) {
  const t = useText('data');
  const titleId = useId();
  const pane = useRef<HTMLElement>(null);
  const isOver = useMediaQuery(`(max-width: ${breakpoints.md})`, undefined, { getInitialValueInEffect: false });
  useEffect(() => {
    // On a phone the keyboard would cover what one came to read.
    if (isOver) return;
    const first = pane.current?.querySelector<HTMLElement>(
      '[data-inputs] > :not([data-counted]) :is(input, textarea, select):not([disabled], [readonly])',
    );
    (first ?? pane.current)?.focus({ preventScroll: true });
  }, [isOver]);
  useEffect(() => {
    if (problem) pane.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problem]);
  useHotkeys([['mod+S', () => onSave?.()]], []);

  const onKeyDown = (event: KeyboardEvent) => {
    const isMenuOpen = (event.target as HTMLElement).getAttribute('aria-expanded') === 'true';
    if (event.key !== 'Escape' || isMenuOpen) return;
    event.stopPropagation();
    onClose();
  };
  return (
    <FocusTrap active={Boolean(isOver)} innerRef={pane}>
      <section
        className={classes.pane}
        role="dialog"
        aria-modal={isOver ? true : undefined}
        aria-labelledby={titleId}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        <header className={paneClasses.paneHead}>
          <div className={paneClasses.paneTitle}>
            <Title order={2} id={titleId} tabIndex={-1} data-autofocus className={paneClasses.paneName!}>
              {title}
            </Title>
            {note}
          </div>
          <ActionIcon aria-label={t('close')} onClick={onClose}>
            <IconX className={classes.icon} aria-hidden />
          </ActionIcon>
        </header>
        <div className={paneClasses.paneActions}>{actions}</div>
        {problem ? (
          <p className={paneClasses.problem} role="alert">
            {problem}
          </p>
        ) : null}
        <div className={paneClasses.paneBody}>{children}</div>
      </section>
    </FocusTrap>
  );
}

interface RecordPaneProps {
  state: TableState;
  schema: Schema;
  recordKey: readonly string[];
  onClose: () => void;
}

export function RecordPane({ state, schema, recordKey, onClose }: RecordPaneProps) {
  const t = useText('data');
  const { record, isMissing, error, retry } = useRecord(state, recordKey);
  const label = schema.label || state.table;
  const note = <Text className={paneClasses.paneKey}>{t('key', { key: recordKey.join(' / ') })}</Text>;
  const close = (
    <Button variant="default" onClick={onClose}>
      {t('cancel')}
    </Button>
  );
  if (!record) {
    return (
      <Pane title={t('edit', { table: label })} note={note} onClose={onClose} onSave={null} actions={close}>
        {error ? (
          <Failed error={error} onRetry={retry} />
        ) : isMissing ? (
          <Failed error={t('missingText')} title={t('missing')} />
        ) : (
          <Loading shape="form" />
        )}
      </Pane>
    );
  }
  return (
    <RecordForm state={state} schema={schema} recordKey={recordKey} record={record} note={note} onClose={onClose} />
  );
}

interface RecordFormProps extends RecordPaneProps {
  record: Row;
  note: ReactNode;
}

function RecordForm({ state, schema, recordKey, record, note, onClose }: RecordFormProps) {
  const t = useText('data');
  const edit = state.editOf(recordKey);
  const stored = edit?.stored ?? record;
  const drafts = edit?.drafts ?? {};
  const touched = Object.keys(changed(stored, drafts));
  const save = () => void state.saveOne(recordKey);
  return (
    <Pane
      title={t('edit', { table: schema.label || state.table })}
      note={
        <>
          {note}
          {touched.length > 0 ? (
            <Text className={paneClasses.paneChanges} role="status" title={t('cancelKeeps')}>
              {t('changedFields', { count: touched.length })}
            </Text>
          ) : null}
        </>
      }
      onClose={onClose}
      onSave={save}
      problem={edit?.errors['']}
      actions={
        <>
          <Button loading={state.isBusy} onClick={save}>
            {t('save')}
          </Button>
          <Button
            variant="default"
            disabled={touched.length === 0 || state.isBusy}
            onClick={() => state.revertOne(recordKey)}
          >
            {t('revert')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <span className={classes.space} />
          <Button
            variant="subtle"
            className={classes.danger!}
            leftSection={<IconTrash className={classes.smallIcon} aria-hidden />}
            disabled={state.isBusy}
            onClick={() => void state.deleteOne(record)}
          >
            {t('delete')}
          </Button>
        </>
      }
    >
      <Inputs onSubmit={save}>
        {schema.field.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            lock={lockOf(field, schema, false)}
            draft={field.name in drafts ? drafts[field.name] : toDraft(stored[field.name])}
            isChanged={touched.includes(field.name)}
            isNew={false}
            error={edit?.errors[field.name]}
            onChange={(draft) => state.edit(recordKey, stored, field.name, draft)}
          />
        ))}
      </Inputs>
    </Pane>
  );
}

/** The fields of a record as a form: Enter in a field saves. */
const Inputs = ({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) => (
  <form
    data-inputs
    className={paneClasses.inputs}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
    <button type="submit" hidden aria-hidden tabIndex={-1} />
  </form>
);

/** A new record (TBL-027). Fields left alone get what the database has for them. */
export function NewRecordPane({ state, schema, onClose }: Omit<RecordPaneProps, 'recordKey'>) {
  const t = useText('data');
  const { drafts = {}, errors = {} } = state.fresh ?? {};
  const save = () => void state.create();
  return (
    <Pane
      title={t('createOne', { table: schema.label || state.table })}
      onClose={onClose}
      onSave={save}
      problem={errors['']}
      actions={
        <>
          <Button loading={state.isBusy} onClick={save}>
            {t('save')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
        </>
      }
    >
      <Inputs onSubmit={save}>
        {schema.field.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            lock={lockOf(field, schema, true)}
            draft={drafts[field.name]}
            isChanged={false}
            isNew
            error={errors[field.name]}
            onChange={(draft) => state.editFresh(field.name, draft)}
          />
        ))}
      </Inputs>
    </Pane>
  );
}
