// What is said of a table beside its fields (SCH-010, OPEN-168).
import { Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../../../text/index.ts';
import { SearchSelect } from '../../../ui/index.ts';
import type { TableDraft } from '../draft/table.ts';
import classes from './table.module.css';

interface TablePropertiesProps {
  table: TableDraft;
  onChange: (part: Partial<TableDraft>) => void;
  /** The name is typed for a new table; one that is there keeps it. */
  isNew: boolean;
  nameProblem?: string | null;
  isReadOnly: boolean;
  besideName?: ReactNode;
  onNameEnter?: () => void;
}

export function TableProperties(props: TablePropertiesProps) {
  const { table, onChange, isNew, isReadOnly } = props;
  const t = useText('schema');
  const textOf = (name: 'alias' | 'label' | 'plural') => ({
    label: t(`table.${name}`),
    description: t(`table.${name}Help`),
    value: table[name] ?? '',
    readOnly: isReadOnly,
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) =>
      onChange({ [name]: event.currentTarget.value || emptyOf[name] }),
  });
  const nameFields = table.field.map(({ name, alias }) => alias || name);
  return (
    <section className={classes.properties} aria-label={t('table.properties')}>
      <div className={classes.nameRow}>
        <TextInput
          label={t('table.name')}
          value={table.name}
          readOnly={!isNew}
          error={props.nameProblem}
          required={isNew}
          autoFocus={isNew}
          autoComplete="off"
          spellCheck={false}
          data-table-name
          onChange={(event) => onChange({ name: event.currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !props.onNameEnter) return;
            event.preventDefault();
            props.onNameEnter();
          }}
        />
        {props.besideName}
      </div>
      <TextInput {...textOf('alias')} />
      <TextInput {...textOf('label')} />
      <TextInput {...textOf('plural')} />
      <SearchSelect
        label={t('table.nameField')}
        description={t('table.nameFieldHelp')}
        placeholder={t('table.noNameField')}
        data={[...new Set([...nameFields, ...(table.name_field ? [table.name_field] : [])])]}
        value={table.name_field}
        onChange={(name_field) => onChange({ name_field })}
        readOnly={isReadOnly}
        clearable
      />
      <Textarea
        className={classes.wide!}
        label={t('table.description')}
        value={table.description ?? ''}
        readOnly={isReadOnly}
        autosize
        minRows={1}
        maxRows={6}
        onChange={(event) => onChange({ description: event.currentTarget.value || null })}
      />
    </section>
  );
}

const emptyOf = { alias: null, label: '', plural: '' };
