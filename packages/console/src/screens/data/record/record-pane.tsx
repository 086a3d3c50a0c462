// The record's pane: edits a record or creates one (OPEN-124). Drafts live with the table, so that closing keeps them (OPEN-123).
// field-input.tsx is one field, inputs/ has an input for each type; related.ts knows the tables that belong to the record.
import { Button, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useText } from '../../../text/index.ts';
import { Failed, Loading } from '../../../ui/index.ts';
import type { Row, Schema } from '../address/sources.ts';
import { useReferenceTargets } from '../reference/use-reference-targets.ts';
import classes from '../styles/shared.module.css';
import type { TableState } from '../table/use-table.ts';
import { dirtyDrafts, lockOf, toDraft } from '../values/values.ts';
import { FieldInput } from './field-input.tsx';
import paneClasses from './pane.module.css';
import { Pane } from './pane.tsx';
import { RelatedLinks } from './related-links.tsx';
import { useRecord } from './use-record.ts';

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
    <Button variant="default" className={paneClasses.cancel!} onClick={onClose}>
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
  const targets = useReferenceTargets(state.service, schema);
  const edit = state.editOf(recordKey);
  const original = edit?.original ?? record;
  const drafts = edit?.drafts ?? {};
  const dirtyNames = Object.keys(dirtyDrafts(original, drafts));
  const save = () => void state.saveRecord(recordKey);
  return (
    <Pane
      title={t('edit', { table: schema.label || state.table })}
      note={
        <>
          {note}
          {dirtyNames.length > 0 ? (
            <Text className={paneClasses.paneChanges} role="status" title={t('cancelKeeps')}>
              {t('changedFields', { count: dirtyNames.length })}
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
            disabled={dirtyNames.length === 0 || state.isBusy}
            onClick={() => state.revertRecord(recordKey)}
          >
            {t('revert')}
          </Button>
          <Button variant="default" className={paneClasses.cancel!} onClick={onClose}>
            {t('cancel')}
          </Button>
          <span className={classes.space} />
          <Button
            variant="subtle"
            className={classes.danger!}
            leftSection={<IconTrash className={classes.smallIcon} aria-hidden />}
            disabled={state.isBusy}
            onClick={() => void state.deleteRecord(record)}
          >
            {t('delete')}
          </Button>
        </>
      }
    >
      <RelatedLinks service={state.service} table={state.table} schema={schema} recordKey={recordKey} />
      <Inputs onSubmit={save}>
        {schema.field.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            target={targets.get(field.name) ?? null}
            lock={lockOf(field, schema, false)}
            draft={field.name in drafts ? drafts[field.name] : toDraft(original[field.name])}
            isChanged={dirtyNames.includes(field.name)}
            isNew={false}
            error={edit?.errors[field.name]}
            onChange={(draft) => state.editField(recordKey, original, field.name, draft)}
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

/** A new record (TBL-027). Untouched fields get the database's defaults. */
export function NewRecordPane({ state, schema, onClose }: Omit<RecordPaneProps, 'recordKey'>) {
  const t = useText('data');
  const targets = useReferenceTargets(state.service, schema);
  const { errors = {} } = state.newRecord ?? {};
  const drafts = { ...state.initialDrafts, ...state.newRecord?.drafts };
  const save = () => void state.createRecord();
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
          <Button variant="default" className={paneClasses.cancel!} onClick={onClose}>
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
            target={targets.get(field.name) ?? null}
            lock={lockOf(field, schema, true)}
            draft={drafts[field.name]}
            isChanged={false}
            isNew
            error={errors[field.name]}
            onChange={(draft) => state.editNewRecord(field.name, draft)}
          />
        ))}
      </Inputs>
    </Pane>
  );
}
