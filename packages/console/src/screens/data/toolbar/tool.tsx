import { ActionIcon, Tooltip } from '@mantine/core';
import type { IconProps } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import classes from '../look/look.module.css';
import ownClasses from './toolbar.module.css';

/** A button with a picture; its name is told on hover. */
export const Tool = ({ label, icon: Icon, isExtra, isAway, isOn, ...rest }: ToolProps) => (
  <Tooltip label={label}>
    <ActionIcon
      aria-label={label}
      className={isExtra ? ownClasses.extra! : ''}
      style={isAway ? { visibility: 'hidden' } : undefined}
      aria-pressed={isOn}
      variant={isOn ? 'light' : undefined}
      color={isOn ? 'water' : undefined}
      {...rest}
    >
      <Icon className={classes.icon} aria-hidden />
    </ActionIcon>
  </Tooltip>
);

interface ToolProps {
  label: string;
  icon: ComponentType<IconProps>;
  onClick: () => void;
  disabled?: boolean;
  /** The same button stands elsewhere now; its place stays free. */
  isAway?: boolean;
  /** Not shown on a phone. */
  isExtra?: boolean;
  /** Of a switch. */
  isOn?: boolean;
  loading?: boolean;
  'aria-keyshortcuts'?: string;
}
