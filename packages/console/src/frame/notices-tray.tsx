import { ActionIcon, Anchor, Button, Group, Popover, Text } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { useText } from '../text/index.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { DateText } from '../ui/date-text.tsx';
import { clearNotices, markSeen, noticeDetails, useNotices } from '../ui/notify.ts';
import frame from './frame.module.css';
import classes from './notices-tray.module.css';

/** Errors that were shown, to read again and to copy. */
export const NoticesTray = () => {
  const t = useText('common');
  const [isOpen, setOpen] = useState(false);
  const { tray, unseen } = useNotices();
  const setTrayOpen = (next: boolean) => {
    setOpen(next);
    if (next) markSeen();
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setTrayOpen}
      width="22rem"
      position="bottom-end"
      withinPortal={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon
          className={classes.bell!}
          aria-label={unseen > 0 ? t('notices.openCount', { count: unseen }) : t('notices.open')}
          onClick={() => setTrayOpen(!isOpen)}
        >
          <IconBell className={frame.icon} aria-hidden stroke={1.6} />
          {unseen > 0 && <span className={classes.mark} aria-hidden />}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('notices.title')} className={classes.tray!}>
        <Group justify="space-between" className={classes.head}>
          <Text fw={600}>{t('notices.title')}</Text>
          {tray.length > 0 && (
            <Button variant="subtle" size="compact-sm" onClick={clearNotices}>
              {t('notices.clear')}
            </Button>
          )}
        </Group>
        {tray.length === 0 && <Text className={classes.empty}>{t('notices.empty')}</Text>}
        <ul className={classes.list}>
          {tray.map((notice) => (
            <li key={notice.id} className={classes.notice}>
              <div className={classes.words}>
                <Text fw={600} size="sm">
                  {notice.title}
                </Text>
                {notice.messages.map((message) => (
                  <Text key={message} size="sm" className={classes.message}>
                    {message}
                  </Text>
                ))}
                {notice.serviceId === null ? null : (
                  <Anchor component={Link} to={`/services/${notice.serviceId}/config`} size="sm">
                    {t('failed.toConfig')}
                  </Anchor>
                )}
                <Text size="xs" c="dimmed" component="div">
                  <DateText value={notice.at.toISOString()} />
                </Text>
              </div>
              <CopyButton value={noticeDetails(notice)} thing={t('details')} />
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  );
};
