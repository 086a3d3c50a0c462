// The record's pane: edits a record or creates one (OPEN-124). Drafts live with the table, so that closing keeps them (OPEN-123).
// field-input.tsx is one field, inputs/ has an input for each type; related.ts knows the tables that belong to the record.
import { Button, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { SidePane, sidePaneClasses } from '../../../database/index.ts';
import { useText } from '../../../text/index.ts';
import { Failed, Loading } from '../../../ui/index.ts';
import type { Row, Schema } from '../address/sources.ts';
import { JointLookup } from '../reference/joint-lookup.tsx';
import type { JointReference } from '../reference/target.ts';
import { useReferences } from '../reference/use-references.ts';
import classes from '../styles/shared.module.css';
import type { TableState } from '../table/use-table.ts';
import { type Draft, dirtyDrafts, lockOf, ownValue, toDraft } from '../values/values.ts';
import { FieldInput } from './field-input.tsx';
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
  const note = <Text className={sidePaneClasses.paneKey}>{t('key', { key: recordKey.join(' / ') })}</Text>;
  const close = (
    <Button variant="default" className={sidePaneClasses.cancel!} onClick={onClose}>
      {t('cancel')}
    </Button>
  );
  if (!record) {
    return (
      <SidePane title={t('edit', { table: label })} note={note} onClose={onClose} onSave={null} actions={close}>
        {error ? (
          <Failed error={error} onRetry={retry} />
        ) : isMissing ? (
          <>
            <Failed error={t('missingText')} title={t('missing')} />
            <Button variant="default" className={classes.wayBack!} onClick={onClose}>
              {t('backToTable', { table: label })}
            </Button>
          </>
        ) : (
          <Loading shape="form" />
        )}
      </SidePane>
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
  const original = edit?.original ?? record;
  const drafts = edit?.drafts ?? {};
  const dirtyNames = Object.keys(dirtyDrafts(original, drafts));
  const save = () => void state.saveRecord(recordKey);
  return (
    <SidePane
      title={t('edit', { table: schema.label || state.table })}
      note={
        <>
          {note}
          {dirtyNames.length > 0 ? (
            <Text className={sidePaneClasses.paneChanges} role="status" title={t('cancelKeeps')}>
              {t('changedFields', { count: dirtyNames.length })}
            </Text>
          ) : null}
        </>
      }
      onClose={onClose}
      onSave={save}
      problem={edit?.errors['']}
      problemShown={state.wrongLead.times}
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
          <Button variant="default" className={sidePaneClasses.cancel!} onClick={onClose}>
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
        <FieldInputs
          state={state}
          schema={schema}
          isNew={false}
          draftOf={(name) => (Object.hasOwn(drafts, name) ? drafts[name] : toDraft(ownValue(original, name)))}
          changedNames={dirtyNames}
          errors={edit?.errors ?? {}}
          onChange={(name, draft) => state.editField(recordKey, original, name, draft)}
        />
      </Inputs>
    </SidePane>
  );
}

/** The fields of a record as a form: Enter in a field saves. */
const Inputs = ({ onSubmit, children }: { onSubmit: () => void; children: ReactNode }) => (
  <form
    data-inputs
    className={sidePaneClasses.inputs}
    onSubmit={(event) => {
      event.preventDefault();
      onSubmit();
    }}
  >
    {children}
    <button type="submit" hidden aria-hidden tabIndex={-1} />
  </form>
);

interface FieldInputsProps {
  state: TableState;
  schema: Schema;
  isNew: boolean;
  draftOf: (field: string) => Draft;
  changedNames: readonly string[];
  errors: Readonly<Record<string, string>>;
  onChange: (field: string, draft: Draft) => void;
}

/** An input for each field; below the last of those that refer to a record together, that record. */
function FieldInputs({ state, schema, isNew, draftOf, changedNames, errors, onChange }: FieldInputsProps) {
  const { single, joint } = useReferences(state.service, schema);
  const lastFieldOf = ({ columns }: JointReference) => schema.field.findLast(({ name }) => columns.includes(name));
  return schema.field.map((field) => (
    <FieldInput
      key={field.name}
      field={field}
      target={single.get(field.name) ?? null}
      joint={joint.filter(({ columns }) => columns.includes(field.name))}
      lock={lockOf(field, schema, isNew)}
      draft={draftOf(field.name)}
      isChanged={changedNames.includes(field.name)}
      isNew={isNew}
      error={ownValue(errors, field.name)}
      onChange={(draft) => onChange(field.name, draft)}
    >
      {joint
        .filter((reference) => lastFieldOf(reference) === field)
        .map((reference) => (
          <JointLookup
            key={`${reference.table} ${reference.columns}`}
            reference={reference}
            schema={schema}
            draftOf={draftOf}
          />
        ))}
    </FieldInput>
  ));
}

/** A new record (TBL-027). Untouched fields get the database's defaults. */
export function NewRecordPane({ state, schema, onClose }: Omit<RecordPaneProps, 'recordKey'>) {
  const t = useText('data');
  const { errors = {} } = state.newRecord ?? {};
  const drafts = { ...state.initialDrafts, ...state.newRecord?.drafts };
  const save = () => void state.createRecord();
  return (
    <SidePane
      title={t('createOne', { table: schema.label || state.table })}
      onClose={onClose}
      onSave={save}
      problem={errors['']}
      problemShown={state.wrongLead.times}
      actions={
        <>
          <Button loading={state.isBusy} onClick={save}>
            {t('save')}
          </Button>
          <Button variant="default" className={sidePaneClasses.cancel!} onClick={onClose}>
            {t('cancel')}
          </Button>
        </>
      }
    >
      <Inputs onSubmit={save}>
        <FieldInputs
          state={state}
          schema={schema}
          isNew
          draftOf={(name) => ownValue(drafts, name)}
          changedNames={[]}
          errors={errors}
          onChange={state.editNewRecord}
        />
      </Inputs>
    </SidePane>
  );
}
