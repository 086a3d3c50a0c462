import { ActionIcon, Menu } from '@mantine/core';
import { IconArrowUpRight, IconSpeakerphone } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { readNews } from '../api/news.ts';
import { useEnvironment } from '../api/session-state.ts';
import { useText } from '../text/index.ts';
import classes from './frame.module.css';

/** News of the operator's feed, where one is set and answers (NAV-050). */
export function NewsMenu() {
  const t = useText('frame');
  const feed = useEnvironment().notifications_feed;
  const { data: news = [] } = useQuery({
    queryKey: ['news', feed],
    queryFn: ({ signal }) => readNews(feed ?? '', signal),
    enabled: feed !== undefined,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (news.length === 0) return null;
  return (
    <Menu withinPortal={false} position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={t('news')}>
          <IconSpeakerphone className={classes.icon} aria-hidden stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('news')}>
        {news.map(({ name, url }) => (
          <Menu.Item
            key={`${name} ${url}`}
            component="a"
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            rightSection={<IconArrowUpRight className={classes.smallIcon} aria-hidden />}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
