import { ActionIcon, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { useText } from '../text/index.ts';
import classes from './frame.module.css';

const schemes = [
  ['light', IconSun],
  ['dark', IconMoon],
  ['auto', IconDeviceDesktop],
] as const;

/** Light, dark, or like the system. */
export const SchemeMenu = () => {
  const t = useText('frame');
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const [, Current] = schemes.find(([name]) => name === colorScheme) ?? schemes[2];
  const label = t('scheme.label', { scheme: t(`scheme.${colorScheme}`) });
  return (
    <Menu withinPortal={false}>
      <Menu.Target>
        <ActionIcon aria-label={label}>
          <Current className={classes.icon} aria-hidden stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={label}>
        <Menu.RadioGroup value={colorScheme} onChange={(name) => setColorScheme(name as MantineColorScheme)}>
          {schemes.map(([name, Icon]) => (
            <Menu.RadioItem key={name} value={name} rightSection={<Icon className={classes.smallIcon} aria-hidden />}>
              {t(`scheme.${name}`)}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
};
