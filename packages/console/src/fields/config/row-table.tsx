import { Checkbox, Group, NumberInput, PasswordInput, Text, TextInput } from '@mantine/core';
import type { FieldDescriptor } from '@sluice/contract';
import type { ReactNode } from 'react';
import { cellText } from '../../list/column.tsx';
import { useText } from '../../text/index.ts';
import { EventInput } from '../inputs/event-input.tsx';
import type { FieldProps } from '../inputs/field.ts';
import { FieldGroup } from '../inputs/field-group.tsx';
import classes from '../inputs/fields.module.css';
import { type Pick, type PickOption, PickSelect } from '../inputs/pick-select.tsx';
import { AddRowButton, RemoveRowButton } from '../inputs/row-buttons.tsx';
import { VerbPicker } from '../inputs/verb-picker.tsx';
import { type Config, type ItemKind, itemKindOf, labelOf, newConfigRow } from './schema.ts';

interface RowTableProps extends FieldProps<Config[]> {
  items: readonly FieldDescriptor[];
  /** Event names for the columns that choose one. */
  events: readonly string[];
}

/** A list of objects: a table with a column for each part, cards on a phone (OPEN-144, OPEN-145). */
export function RowTable({ label, description, error, disabled, value, onChange, items, events }: RowTableProps) {
  const t = useText('fields');
  const changeCell = (index: number, name: string, cell: unknown) =>
    onChange(value.with(index, { ...value[index], [name]: cell }));

  return (
    <FieldGroup wide label={label} description={description} error={error} disabled={disabled ?? false}>
      {value.length === 0 ? (
        <Text size="sm" c="var(--s-text-soft)">
          {t('noRows')}
        </Text>
      ) : (
        <div className={`${classes.box} ${classes.scroll}`}>
          <table className={classes.rows}>
            <thead>
              <tr>
                {items.map((item) => (
                  <th key={item.name} scope="col">
                    {labelOf(item)}
                    {item.required ? ' *' : ''}
                  </th>
                ))}
                <th aria-hidden />
              </tr>
            </thead>
            <tbody>
              {value.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: new rows have no id, and every input is controlled
                <tr key={index}>
                  {items.map((item) => (
                    <td key={item.name}>
                      <span className={classes.cellLabel} aria-hidden>
                        {labelOf(item)}
                      </span>
                      {cells[itemKindOf(item)]({
                        item,
                        events,
                        label: t('itemOf', { label: labelOf(item), row: index + 1 }),
                        value: row[item.name],
                        onChange: (cell) => changeCell(index, item.name, cell),
                      })}
                    </td>
                  ))}
                  <td>
                    <RemoveRowButton
                      label={t('remove', { row: index + 1 })}
                      onClick={() => onChange(value.filter((_, otherIndex) => otherIndex !== index))}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Group mt="sm">
        <AddRowButton label={t('addRow')} onClick={() => onChange([...value, newConfigRow(items)])} />
      </Group>
    </FieldGroup>
  );
}

interface CellProps {
  item: FieldDescriptor;
  label: string;
  events: readonly string[];
  value: unknown;
  onChange: (value: unknown) => void;
}

/** One input for each kind of part. */
const cells: Record<ItemKind, (props: CellProps) => ReactNode> = {
  string: ({ label, value, onChange }) => (
    <TextInput aria-label={label} value={cellText(value)} onChange={(event) => onChange(event.currentTarget.value)} />
  ),
  password: ({ label, value, onChange }) => (
    <PasswordInput
      aria-label={label}
      value={cellText(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="new-password"
    />
  ),
  integer: ({ label, value, onChange }) => (
    <NumberInput
      aria-label={label}
      value={value as number | string}
      onChange={(number) => onChange(number === '' ? null : number)}
      allowDecimal={false}
      hideControls
    />
  ),
  boolean: ({ label, value, onChange }) => (
    <div className={classes.check}>
      <Checkbox
        aria-label={label}
        checked={Boolean(value)}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    </div>
  ),
  picklist: ({ item, label, value, onChange }) => (
    <PickSelect
      isBare
      label={label}
      options={(item.values ?? []) as PickOption[]}
      value={(value ?? null) as Pick}
      onChange={onChange}
    />
  ),
  grouped_picklist: ({ item, label, value, onChange }) => (
    <PickSelect
      isBare
      label={label}
      options={(item.values ?? []) as PickOption[]}
      value={(value ?? null) as Pick}
      onChange={onChange}
    />
  ),
  event_picklist: ({ label, events, value, onChange }) => (
    <EventInput isBare label={label} events={events} value={cellText(value)} onChange={onChange} />
  ),
  verb_mask: ({ label, value, onChange }) => (
    <VerbPicker isBare label={label} value={Number(value) || 0} onChange={onChange} />
  ),
};
