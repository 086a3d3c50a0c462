import { Button, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { HeadRow } from '../../../ui/index.ts';
import classes from './table.module.css';

interface ListPartProps {
  title: string;
  addLabel: string;
  /** Opens the form of a new one; absent where none can be made. */
  onAdd: (() => void) | undefined;
  children: ReactNode;
}

/** A list in the page of a table, under its head with the button that adds to it. */
export function ListPart({ title, addLabel, onAdd, children }: ListPartProps) {
  return (
    <section className={classes.part} aria-label={title}>
      <HeadRow
        actions={
          <Button
            size="xs"
            variant="default"
            disabled={!onAdd}
            leftSection={<IconPlus className={classes.icon} aria-hidden />}
            onClick={onAdd}
          >
            {addLabel}
          </Button>
        }
      >
        <Title order={2}>{title}</Title>
      </HeadRow>
      {children}
    </section>
  );
}
