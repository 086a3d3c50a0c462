import { ActionIcon, Tooltip } from '@mantine/core';
import type { IconProps } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import classes from '../styles/shared.module.css';
import ownClasses from './toolbar.module.css';

/** A button with an icon; its name shows on hover. */
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
  /** The same button is shown elsewhere now; its space stays free. */
  isHidden?: boolean;
  /** Not shown on a phone. */
  isDesktopOnly?: boolean;
  /** For a toggle: whether it is on. */
  isPressed?: boolean;
  loading?: boolean;
  'aria-keyshortcuts'?: string;
}
