import { ActionIcon, Button, Group, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useText } from '../../text/index.ts';
import type { FieldProps } from './field.ts';
import { FieldGroup } from './field-group.tsx';

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
            <ActionIcon
              aria-label={t('remove', { row: row + 1 })}
              onClick={() => onChange(value.filter((_, each) => each !== row))}
            >
              <IconX size="1.1em" aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        <Group>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconPlus size="1.1em" aria-hidden />}
            onClick={() => onChange([...value, ''])}
          >
            {t('add')}
          </Button>
        </Group>
      </Stack>
    </FieldGroup>
  );
}
