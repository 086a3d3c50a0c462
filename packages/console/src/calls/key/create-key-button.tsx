import { Button, type ButtonProps } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useText } from '../../text/index.ts';
import classes from '../calls.module.css';
import { useMayCreateKeys } from './permission.ts';
import { type KeyPreset, openCreateKey } from './requests.ts';

type CreateKeyButtonProps = KeyPreset &
  Pick<ButtonProps, 'variant' | 'size'> & {
    /** Not on a phone: where something else leads there, too. */
    isDesktopOnly?: boolean;
  };

/** Opens "Create API key"; not there for those who may not make apps and roles. */
export function CreateKeyButton({ service, table, variant = 'default', size, isDesktopOnly }: CreateKeyButtonProps) {
  const t = useText('calls');
  if (!useMayCreateKeys()) return null;
  return (
    <Button
      variant={variant}
      {...(size ? { size } : {})}
      {...(isDesktopOnly ? { visibleFrom: 'sm' } : {})}
      leftSection={<IconKey className={classes.icon} aria-hidden />}
      onClick={() => void openCreateKey({ service, table })}
    >
      {t('key.create')}
    </Button>
  );
}
