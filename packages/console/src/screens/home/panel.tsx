import { Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { HeadRow } from '../../ui/index.ts';
import classes from './home.module.css';

interface PanelProps {
  title: string;
  text?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of Home with its heading. */
export const Panel = ({ title, text, actions, children }: PanelProps) => {
  const id = useId();
  return (
    <section className={classes.panel} aria-labelledby={id}>
      <HeadRow kind="text" actions={actions}>
        <div>
          <Title order={2} id={id}>
            {title}
          </Title>
          {text && <Text c="dimmed">{text}</Text>}
        </div>
      </HeadRow>
      {children}
    </section>
  );
};
