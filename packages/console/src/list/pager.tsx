import { ActionIcon, Group, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft } from '@tabler/icons-react';
import { formatNumber, useText } from '../text/index.ts';
import { dropDownProps, SearchSelect } from '../ui/index.ts';
import classes from './list.module.css';
import type { ListController } from './use-list-controller.ts';

/** First, previous, next, and a page by number (X-014, OPEN-045). */
export function Pager({ list }: { list: ListController }) {
  const t = useText('list');
  const { state, pages, pageSize, count, rows } = list;
  const from = (Math.min(state.page, pages) - 1) * pageSize + 1;
  // Until the page is read, the rows are those of another one.
  const shown = list.isOutdated ? pageSize : rows.length;
  const range =
    count === 0
      ? t('rangeOfNone')
      : t('range', {
          from: formatNumber(from),
          to: formatNumber(Math.min(count, from + shown - 1)),
          total: formatNumber(count),
        });
  const atStart = state.page <= 1;
  const atEnd = state.page >= pages;
  return (
    <Group gap="xs" wrap="nowrap" className={classes.pager}>
      <Text size="sm" className={classes.range}>
        {range}
      </Text>
      {pages > 1 ? (
        <>
          <ActionIcon aria-label={t('first')} disabled={atStart} onClick={() => list.goToPage(1)}>
            <IconChevronsLeft className={classes.icon} aria-hidden />
          </ActionIcon>
          <ActionIcon aria-label={t('previous')} disabled={atStart} onClick={() => list.goToPage(state.page - 1)}>
            <IconChevronLeft className={classes.icon} aria-hidden />
          </ActionIcon>
          <SearchSelect
            // Kept mounted it would be measured with each page of the list.
            comboboxProps={{ ...dropDownProps.comboboxProps, keepMounted: false }}
            aria-label={t('selectPage')}
            className={classes.pageNumber ?? ''}
            data={Array.from({ length: pages }, (_, index) => ({
              value: String(index + 1),
              label: t('pageOf', { page: formatNumber(index + 1) }),
            }))}
            value={String(state.page)}
            onChange={(page) => page && list.goToPage(Number(page))}
            allowDeselect={false}
            searchable={pages > 12}
            limit={100}
            checkIconPosition="right"
          />
          <ActionIcon aria-label={t('next')} disabled={atEnd} onClick={() => list.goToPage(state.page + 1)}>
            <IconChevronRight className={classes.icon} aria-hidden />
          </ActionIcon>
        </>
      ) : null}
    </Group>
  );
}
