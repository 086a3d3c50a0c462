import { Button, Menu } from '@mantine/core';
import { IconArrowUpRight, IconChevronDown } from '@tabler/icons-react';
import { useEnvironment } from '../../api/index.ts';
import { useText } from '../../text/index.ts';
import classes from './apps.module.css';
import { sdkLabel } from './sdk-names.ts';

/** Pages of SDKs and sample apps that an operator set, as a list (NAV-038, OPEN-112). Absent where none is. */
export function SdkMenu() {
  const t = useText('apps');
  const { sdks = [] } = useEnvironment();
  if (sdks.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown className={classes.icon} aria-hidden />}>
          {t('sampleApps')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('sampleApps')}>
        {sdks.map(({ name, href }) => (
          <Menu.Item
            key={name}
            component="a"
            href={href}
            target="_blank"
            rel="noopener noreferrer"
            rightSection={<IconArrowUpRight className={classes.icon} aria-hidden />}
          >
            {sdkLabel(name)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
