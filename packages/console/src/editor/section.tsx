import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './editor.module.css';

/** A part of a form: a heading, a sentence, its fields. */
export function Section({
  title,
  text,
  children,
  wide,
}: {
  title: string;
  text?: ReactNode;
  children: ReactNode;
  wide?: boolean;
}) {
  return (
    <section className={classes.section} data-wide={wide || undefined}>
      <header className={classes.sectionHead}>
        <Title order={2}>{title}</Title>
        {text ? (
          <Text size="sm" c="var(--s-text-soft)">
            {text}
          </Text>
        ) : null}
      </header>
      <Stack gap="md">{children}</Stack>
    </section>
  );
}
