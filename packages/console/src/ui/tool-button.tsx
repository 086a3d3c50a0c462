import { Button, type ButtonProps } from '@mantine/core';
import type { IconProps } from '@tabler/icons-react';
import type { ComponentProps, ComponentType } from 'react';
import classes from './tool-button.module.css';

type ToolButtonProps = Omit<ButtonProps, 'leftSection' | 'children'> &
  Pick<
    ComponentProps<'button'>,
    'onClick' | 'ref' | 'aria-pressed' | 'aria-keyshortcuts' | 'aria-expanded' | 'aria-haspopup'
  > & {
    /** Its name. */
    label: string;
    /** What of the name stands beside the picture where the bar has room; all of it when absent, nothing when null. */
    word?: string | null;
    icon: ComponentType<IconProps>;
    /** For a toggle: whether it is on. */
    isPressed?: boolean | undefined;
  };

/**
 * A button of a toolbar: a picture and its word, the picture alone where the bar is narrow. The bar says that it is one by
 * `container: toolbar / inline-size`.
 */
export const ToolButton = ({ label, word = label, icon: Icon, isPressed, className, ...rest }: ToolButtonProps) => (
  <Button
    variant={isPressed ? 'light' : 'subtle'}
    color={isPressed ? 'water' : 'gray'}
    size="compact-sm"
    aria-label={label}
    data-wordless={word === null || undefined}
    title={label}
    aria-pressed={isPressed}
    className={`${classes.tool} ${className ?? ''}`}
    classNames={{ label: classes.word!, section: classes.section! }}
    leftSection={<Icon className={classes.icon!} aria-hidden stroke={1.6} />}
    {...rest}
  >
    {word}
  </Button>
);
