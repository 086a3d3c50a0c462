import { ActionIcon, Anchor, Button, Group, Popover, Text } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { text, useText } from '../text/index.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { DateText } from '../ui/date-text.tsx';
import { clearNotices, markSeen, noticeDetails, notify, useNotices } from '../ui/notify.ts';
import { listDrafts, useKeptDrafts } from '../unsaved/index.ts';
import frame from './frame.module.css';
import { KeptDrafts } from './kept-drafts.tsx';
import classes from './notices-tray.module.css';

/** More than these are counted as more. */
const mostCounted = 99;

/** Whether any draft is newer than those of the last message; the next one is about newer ones. */
function areNews(owner: number | string, [newest]: readonly { at: number }[]): boolean {
  const key = `sluice.drafts-told.${owner}`;
  if (!newest || newest.at <= Number(sessionStorage.getItem(key))) return false;
  sessionStorage.setItem(key, String(newest.at));
  return true;
}

/** Unsaved changes that are kept, and errors that were shown, to read again and to copy. */
export const NoticesTray = ({ owner }: { owner: number | string }) => {
  const t = useText('common');
  const unsaved = useText('unsaved');
  const drafts = useKeptDrafts(owner);
  const [isOpen, setOpen] = useState(false);
  const { tray, unseen } = useNotices();
  const count = unseen + drafts.length;
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the page one came to
  useEffect(() => {
    // After a sign-in, and after a reload. The form one is at offers its own.
    const elsewhere = listDrafts(owner).filter(({ address }) => address.split('?')[0] !== pathname);
    if (areNews(owner, elsewhere)) notify.info(text('unsaved:keptHint', { count: elsewhere.length }));
  }, [owner]);
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
          aria-label={count > 0 ? t('notices.openCount', { count }) : t('notices.open')}
          onClick={() => setTrayOpen(!isOpen)}
        >
          <IconBell className={frame.icon} aria-hidden stroke={1.6} />
          {count > 0 && (
            <span className={classes.mark} data-error={unseen > 0 || undefined} aria-hidden>
              {count > mostCounted ? `${mostCounted}+` : count}
            </span>
          )}
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
        {tray.length + drafts.length === 0 && <Text className={classes.empty}>{t('notices.empty')}</Text>}
        {tray.length > 0 && (
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
        )}
        {drafts.length > 0 && (
          <>
            <Text size="sm" className={classes.part}>
              {unsaved('kept')}
            </Text>
            <KeptDrafts owner={owner} drafts={drafts} onFollow={() => setOpen(false)} />
          </>
        )}
      </Popover.Dropdown>
    </Popover>
  );
};
