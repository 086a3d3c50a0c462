import { Menu, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconKeyboard, IconLogout, IconUser } from '@tabler/icons-react';
import { Link, useMatch } from 'react-router';
import { useConsoleSettings } from '../api/console-settings.ts';
import { useEnvironment, useSession } from '../api/session-state.ts';
import { chooseLanguage, currentLanguage, type LanguageCode, languages, useText } from '../text/index.ts';
import frame from './frame.module.css';
import classes from './user-menu.module.css';

const initials = (name: string): string =>
  name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((part) => part[0] ?? '')
    .join('')
    .toUpperCase();

/** Who is signed in, and what is theirs: profile, language, shortcuts, the way out (NAV-017). The active section at /profile (NAV-005). */
export const UserMenu = ({ onShortcuts }: { onShortcuts: () => void }) => {
  const t = useText('frame');
  const session = useSession();
  const isActive = useMatch('/profile/*') !== null;
  const { version } = useConsoleSettings();
  const { platform } = useEnvironment();
  if (!session) return null;
  const name = session.name || session.email;
  const icon = (Icon: typeof IconUser) => <Icon className={frame.smallIcon} aria-hidden />;
  return (
    <Menu width="14rem" withinPortal={false}>
      <Menu.Target>
        <UnstyledButton
          className={classes.person!}
          aria-label={t('user.menu', { name })}
          aria-current={isActive ? 'page' : undefined}
        >
          <span className={classes.initials} aria-hidden>
            {initials(name)}
          </span>
          <span className={classes.name}>{name}</span>
          <IconChevronDown className={frame.smallIcon} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('user.menu', { name })}>
        <div className={classes.who}>
          <Text fw={600} truncate>
            {name}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {session.email}
          </Text>
        </div>
        <Menu.Divider />
        <Menu.Item component={Link} to="/profile" leftSection={icon(IconUser)}>
          {t('user.profile')}
        </Menu.Item>
        <Menu.Item leftSection={icon(IconKeyboard)} onClick={onShortcuts}>
          {t('user.shortcuts')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('user.language')}</Menu.Label>
        <Menu.RadioGroup value={currentLanguage()} onChange={(code) => void chooseLanguage(code as LanguageCode)}>
          {(Object.keys(languages) as LanguageCode[]).map((code) => (
            <Menu.RadioItem key={code} value={code} lang={code}>
              {languages[code].label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item component={Link} to="/logout" leftSection={icon(IconLogout)}>
          {t('user.logout')}
        </Menu.Item>
        {version && (
          <Text size="xs" c="dimmed" className={classes.version}>
            {[`Sluice ${version}`, platform?.version && `API ${platform.version}`].filter(Boolean).join(' · ')}
          </Text>
        )}
      </Menu.Dropdown>
    </Menu>
  );
};
