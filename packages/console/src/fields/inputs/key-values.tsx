import { Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useInputProblem } from '../../editor/index.ts';
import { cellText } from '../../list/column.tsx';
import { useText } from '../../text/index.ts';
import type { FieldProps } from './field.ts';
import { FieldGroup } from './field-group.tsx';
import classes from './fields.module.css';
import { AddRowButton, RemoveRowButton } from './row-buttons.tsx';

type Map = Record<string, unknown>;
type Row = [key: string, value: string];

interface KeyValuesProps extends FieldProps<Map> {
  /** The path of the map in the form. */
  path: string;
  keyLabel?: string;
  valueLabel?: string;
}

const rowsOf = (map: Map): Row[] => Object.entries(map).map(([key, value]) => [key, cellText(value)]);

/** The map the rows make; what was no text at the beginning stays what it was until its words change. */
function mapOf(rows: readonly Row[], origin: Map): Map {
  const map: Map = {};
  for (const [key, text] of rows) {
    if (key !== '') map[key] = Object.hasOwn(origin, key) && cellText(origin[key]) === text ? origin[key] : text;
  }
  return map;
}

/**
 * A map, edited as rows of a name and a value (SVC-008). The rows are kept here while names are being typed: a map
 * cannot hold two equal names or a half-typed one.
 */
export function KeyValues({
  label,
  description,
  error,
  disabled,
  value,
  onChange,
  path,
  keyLabel,
  valueLabel,
}: KeyValuesProps) {
  const t = useText('fields');
  const [state, setState] = useState(() => ({ rows: rowsOf(value), origin: value }));
  // Another map than these rows make came from outside (a reload, a draft): begin again from it.
  const isOurs = JSON.stringify(mapOf(state.rows, state.origin)) === JSON.stringify(value);
  const { rows, origin } = isOurs ? state : { rows: rowsOf(value), origin: value };

  const changeRows = (next: Row[]) => {
    setState({ rows: next, origin });
    onChange(mapOf(next, origin));
  };
  const columnLabels = { key: keyLabel || t('name'), value: valueLabel || t('value') };
  const isTaken = (key: string, index: number) =>
    rows.some(([other], otherIndex) => otherIndex > index && other === key && key !== '');
  // The map has the last of two equal names alone: the other value would be lost unseen.
  useInputProblem(path, rows.some(([key], index) => isTaken(key, index)) ? t('keyTaken') : null);

  return (
    <FieldGroup label={label} description={description} error={error} disabled={disabled ?? false}>
      <Stack gap="xs">
        {rows.map(([key, text], index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no identity but its place while its name is typed
          <div key={index} className={classes.keyValue}>
            <TextInput
              aria-label={t('itemOf', { label: columnLabels.key, row: index + 1 })}
              placeholder={columnLabels.key}
              value={key}
              error={isTaken(key, index) ? t('keyTaken') : undefined}
              onChange={(event) => changeRows(rows.with(index, [event.currentTarget.value, text]))}
              spellCheck={false}
            />
            <TextInput
              aria-label={t('itemOf', { label: columnLabels.value, row: index + 1 })}
              placeholder={columnLabels.value}
              value={text}
              onChange={(event) => changeRows(rows.with(index, [key, event.currentTarget.value]))}
              spellCheck={false}
            />
            <RemoveRowButton
              label={t('remove', { row: index + 1 })}
              onClick={() => changeRows(rows.filter((_, otherIndex) => otherIndex !== index))}
            />
          </div>
        ))}
        <Group>
          <AddRowButton label={t('add')} onClick={() => changeRows([...rows, [t('newKey'), t('newValue')]])} />
        </Group>
      </Stack>
    </FieldGroup>
  );
}
