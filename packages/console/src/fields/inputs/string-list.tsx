import { Group, Stack, TextInput } from '@mantine/core';
import { useText } from '../../text/index.ts';
import type { FieldProps } from './field.ts';
import { FieldGroup } from './field-group.tsx';
import { AddRowButton, RemoveRowButton } from './row-buttons.tsx';

/** A list of texts, one input each. */
export function StringList({ label, description, error, disabled, value, onChange }: FieldProps<string[]>) {
  const t = useText('fields');
  return (
    <FieldGroup label={label} description={description} error={error} disabled={disabled ?? false}>
      <Stack gap="xs">
        {value.map((text, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the inputs are controlled and a text has no identity of its own
          <Group key={row} gap="xs" wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={t('itemOf', { label, row: row + 1 })}
              value={text}
              onChange={(event) => onChange(value.with(row, event.currentTarget.value))}
            />
            <RemoveRowButton
              label={t('remove', { row: row + 1 })}
              onClick={() => onChange(value.filter((_, otherRow) => otherRow !== row))}
            />
          </Group>
        ))}
        <Group>
          <AddRowButton label={t('add')} onClick={() => onChange([...value, ''])} />
        </Group>
      </Stack>
    </FieldGroup>
  );
}
