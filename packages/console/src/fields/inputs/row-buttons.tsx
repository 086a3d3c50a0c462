import { ActionIcon, Button } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';

/** Below the rows of a list: one more of them. */
export const AddRowButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <Button variant="default" size="xs" leftSection={<IconPlus size="1.1em" aria-hidden />} onClick={onClick}>
    {label}
  </Button>
);

/** At the end of a row: takes it out. */
export const RemoveRowButton = ({ label, onClick }: { label: string; onClick: () => void }) => (
  <ActionIcon aria-label={label} onClick={onClick}>
    <IconX size="1.1em" aria-hidden />
  </ActionIcon>
);
