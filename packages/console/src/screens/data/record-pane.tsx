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
import type { Row, Schema } from './sources.ts';
import { type TableState, useRecord } from './use-table.ts';
import { changed, lockOf, toDraft } from './values.ts';

interface PaneProps {
  title: string;
  note?: ReactNode;
  onClose: () => void;
  onSave: (() => void) | null;
  /** Objection to the whole record. */
  problem?: string | undefined;
  footer: ReactNode;
  children: ReactNode;
}

function Pane({ title, note, onClose, onSave, problem, footer, children }: PaneProps) {
  const t = useText('data');
  const titleId = useId();
  const pane = useRef<HTMLElement>(null);
  const isOver = useMediaQuery(`(max-width: ${breakpoints.md})`, undefined, { getInitialValueInEffect: false });
  useEffect(() => {
    const first = pane.current?.querySelector<HTMLElement>(
      '[data-inputs] :is(input, textarea, select):not([disabled], [readonly])',
    );
    (first ?? pane.current)?.focus({ preventScroll: true });
  }, []);
  useHotkeys([['mod+S', () => onSave?.()]], []);

  const onKeyDown = (event: KeyboardEvent) => {
    const isMenuOpen = (event.target as HTMLElement).getAttribute('aria-expanded') === 'true';
    if (event.key !== 'Escape' || isMenuOpen) return;
    event.stopPropagation();
    onClose();
  };
  return (
    <FocusTrap active={Boolean(isOver)}>
      <section
        className={classes.pane}
        ref={pane}
        role="dialog"
        aria-modal={isOver ? true : undefined}
        aria-labelledby={titleId}
        tabIndex={-1}
        onKeyDown={onKeyDown}
      >
        <header className={classes.paneHead}>
          <div className={classes.paneTitle}>
            <Title order={2} id={titleId}>
              {title}
            </Title>
            {note}
          </div>
          <ActionIcon aria-label={t('close')} onClick={onClose}>
            <IconX className={classes.icon} aria-hidden />
          </ActionIcon>
        </header>
        {problem ? (
          <p className={classes.problem} role="alert">
            {problem}
          </p>
        ) : null}
        <div className={classes.paneBody}>{children}</div>
        <footer className={classes.paneFoot}>{footer}</footer>
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
  const note = <Text className={classes.paneKey}>{t('key', { key: recordKey.join(' / ') })}</Text>;
  const close = (
    <Button variant="default" onClick={onClose}>
      {t('cancel')}
    </Button>
  );
  if (!record) {
    return (
      <Pane title={t('edit', { table: label })} note={note} onClose={onClose} onSave={null} footer={close}>
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
      note={note}
      onClose={onClose}
      onSave={save}
      problem={edit?.errors['']}
      footer={
        <>
          <Button
            variant="subtle"
            className={classes.danger!}
            leftSection={<IconTrash className={classes.smallIcon} aria-hidden />}
            disabled={state.isBusy}
            onClick={() => void state.deleteOne(record)}
          >
            {t('delete')}
          </Button>
          <span className={classes.footNote} role="status" title={touched.length > 0 ? t('cancelKeeps') : undefined}>
            {touched.length > 0 ? t('changedFields', { count: touched.length }) : ''}
          </span>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            variant="default"
            disabled={touched.length === 0 || state.isBusy}
            onClick={() => state.revertOne(recordKey)}
          >
            {t('revert')}
          </Button>
          <Button loading={state.isBusy} onClick={save}>
            {t('save')}
          </Button>
        </>
      }
    >
      <form
        data-inputs
        className={classes.inputs}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
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
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Pane>
  );
}

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
      footer={
        <>
          <span className={classes.footNote} />
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button loading={state.isBusy} onClick={save}>
            {t('save')}
          </Button>
        </>
      }
    >
      <form
        data-inputs
        className={classes.inputs}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
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
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Pane>
  );
}
