// How records are found by the field, and which records of another table it refers to.
import { Checkbox, Select } from '@mantine/core';
import { useEffect } from 'react';
import { useText } from '../../../text/index.ts';
import { dropDownProps, SearchSelect } from '../../../ui/index.ts';
import { useTable, useTables } from '../address/sources.ts';
import classes from './field.module.css';
import type { PartProps } from './field-form.tsx';
import type { ReferenceRules } from './reference.ts';
import { holdsWholeNumbers, referenceRules } from './types.ts';

const below = ['label', 'input', 'description', 'error'] as const;
const wrapper = { inputWrapperOrder: [...below] };
/** A database may have thousands of tables. */
const selectProps = { ...wrapper, takesOnLeave: true, allowDeselect: false, limit: 200 };

interface KeyInputsProps extends PartProps {
  rules: ReferenceRules | null;
}

export function KeyInputs({ rules, ...props }: KeyInputsProps) {
  const { form, original, set } = props;
  const t = useText('schema');
  const { draft } = form;
  const isId = draft.type === 'id';
  const isReference = draft.type === 'reference';
  const isTied = original?.is_foreign_key === true;
  return (
    <>
      <div className={classes.pair}>
        <Checkbox
          label={t('field.primaryKey')}
          description={draft.is_primary_key ? undefined : t('field.primaryKeyHelp')}
          checked={draft.is_primary_key}
          disabled
          readOnly
        />
        <Checkbox
          label={t('field.autoIncrement')}
          checked={draft.auto_increment}
          disabled={isId}
          onChange={(event) => set({ auto_increment: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('field.unique')}
          checked={draft.is_unique}
          disabled={draft.is_primary_key}
          onChange={(event) => set({ is_unique: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('field.indexed')}
          checked={draft.is_index}
          disabled={draft.is_primary_key}
          onChange={(event) => set({ is_index: event.currentTarget.checked })}
        />
        <Checkbox
          label={t('field.foreignKey')}
          checked={draft.is_foreign_key || isReference}
          disabled={isTied || isReference || isId}
          onChange={(event) =>
            set(
              event.currentTarget.checked
                ? { is_foreign_key: true }
                : { is_foreign_key: false, ref_table: '', ref_field: '', ref_on_delete: null, ref_on_update: null },
            )
          }
        />
      </div>
      {isReference || draft.is_foreign_key ? <ReferenceInputs {...props} isTied={isTied} rules={rules} /> : null}
    </>
  );
}

const isSameName = (one: string | null, other: string | null) => one?.toLowerCase() === other?.toLowerCase();

/** The table and field referred to, and what happens with it (C-SCH-12, C-SCH-13); a table that is not saved yet may refer to itself. */
function ReferenceInputs({ service, table, form, problems, set, isTied, rules }: KeyInputsProps & { isTied: boolean }) {
  const t = useText('schema');
  const { draft } = form;
  const refTable = draft.ref_table || '';
  const refField = draft.ref_field || '';
  const isSelf = refTable !== '' && isSameName(refTable, table.name);
  const tables = useTables(service);
  const target = useTable(service, isSelf ? '' : refTable);
  const targetTable = isSelf ? table : refTable === '' ? undefined : target.data;
  const fields = (targetTable?.field ?? []).filter((field) => !field.is_virtual && field.name !== '');
  const keys = fields.filter((field) => field.is_primary_key);
  const onlyKey = keys.length === 1 ? keys[0]!.name : '';
  useEffect(() => {
    if (!isTied && refField === '' && onlyKey !== '') set({ ref_field: onlyKey });
  });

  const thisTable = {
    value: table.name,
    label: table.name ? t('field.thisTable', { table: table.name }) : t('field.unnamedTable'),
  };
  const otherNames = (tables.data ?? []).map(({ name }) => name).filter((name) => !isSameName(name, table.name));
  const knownNames = new Set([...otherNames, table.name]);
  const unknownName = refTable !== '' && !isSelf && !knownNames.has(refTable) ? [refTable] : [];
  const chosen = fields.find((field) => isSameName(field.name, refField));
  const isOddType = draft.type === 'reference' && chosen?.type != null && !holdsWholeNumbers(chosen.type);
  const shownRules = isTied ? rules : { onDelete: draft.ref_on_delete, onUpdate: draft.ref_on_update };
  return (
    <>
      {isTied ? <p className={classes.help}>{t('field.refStays')}</p> : null}
      <SearchSelect
        {...selectProps}
        label={t('field.refTable')}
        placeholder={t('field.refTableBlank')}
        data={[...unknownName, ...otherNames, ...(table.name ? [thisTable] : [])]}
        value={isSelf ? table.name : refTable || null}
        onChange={(name) => set({ ref_table: name ?? '', ref_field: '' })}
        disabled={isTied}
        aria-required
        description={tables.error ? t('field.tablesFailed') : undefined}
        error={problems.ref_table}
      />
      <SearchSelect
        {...selectProps}
        label={t('field.refField')}
        placeholder={t('field.refFieldKey')}
        data={[
          ...(refField !== '' && !chosen ? [refField] : []),
          ...fields.map(({ name, type }) => ({ value: name, label: type ? `${name} · ${type}` : name })),
        ]}
        value={chosen?.name ?? (refField || null)}
        onChange={(name) => set({ ref_field: name ?? '' })}
        disabled={isTied || refTable === ''}
        description={
          target.error && !isSelf
            ? t('field.fieldsFailed', { table: refTable })
            : isOddType
              ? t('field.refTypes', { field: chosen.name, type: String(chosen.type) })
              : undefined
        }
      />
      <div className={classes.pair}>
        <RuleSelect
          label={t('field.onDelete')}
          help={t('field.onDeleteHelp')}
          value={shownRules?.onDelete ?? null}
          isTied={isTied}
          onChange={(rule) => set({ ref_on_delete: rule })}
        />
        <RuleSelect
          label={t('field.onUpdate')}
          help={t('field.onUpdateHelp')}
          value={shownRules?.onUpdate ?? null}
          isTied={isTied}
          onChange={(rule) => set({ ref_on_update: rule })}
        />
      </div>
    </>
  );
}

interface RuleSelectProps {
  label: string;
  help: string;
  value: string | null;
  isTied: boolean;
  onChange: (rule: string | null) => void;
}

function RuleSelect({ label, help, value, isTied, onChange }: RuleSelectProps) {
  const t = useText('schema');
  return (
    <Select
      {...dropDownProps}
      {...wrapper}
      label={label}
      description={help}
      placeholder={t('field.noRule')}
      data={referenceRules}
      value={value}
      onChange={onChange}
      clearable
      disabled={isTied}
    />
  );
}
