import { ActionIcon, Tooltip } from '@mantine/core';
import type { IconProps } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import classes from '../styles/shared.module.css';
import ownClasses from './toolbar.module.css';

/** A button with a picture; its name is told on hover. */
export const Tool = ({ label, icon: Icon, isDesktopOnly, isHidden, isPressed, ...rest }: ToolProps) => (
  <Tooltip label={label}>
    <ActionIcon
      aria-label={label}
      className={isDesktopOnly ? ownClasses.extra! : ''}
      style={isHidden ? { visibility: 'hidden' } : undefined}
      aria-pressed={isPressed}
      variant={isPressed ? 'light' : undefined}
      color={isPressed ? 'water' : undefined}
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
  isHidden?: boolean;
  /** Not shown on a phone. */
  isDesktopOnly?: boolean;
  /** Of a switch. */
  isPressed?: boolean;
  loading?: boolean;
  'aria-keyshortcuts'?: string;
}
