import { TextInput } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconChevronsLeft, IconChevronsRight } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { formatNumber, useText } from '../../../text/index.ts';
import { useStore } from '../../../ui/index.ts';
import type { TableState } from '../table/use-table.ts';
import { Tool } from './tool.tsx';
import classes from './toolbar.module.css';

/** First, previous, a page by number, next, last (TBL-003). */
export const Pager = ({ state }: { state: TableState }) =>
  state.isContinuous ? <VisibleRows state={state} /> : <PageControls state={state} />;

/** Which rows of the whole table are visible. */
function VisibleRows({ state }: { state: TableState }) {
  const t = useText('data');
  const { first, last } = useStore(state.visibleRange);
  if (last < first) return null;
  return (
    <span className={classes.range}>
      {t('range', {
        from: formatNumber(first + 1),
        to: formatNumber(Math.min(last, state.recordCount - 1) + 1),
        total: formatNumber(state.count),
      })}
    </span>
  );
}

function PageControls({ state }: { state: TableState }) {
  const t = useText('data');
  const { gridState, pages, count, rows, pageSize, goToPage } = state;
  const [pageText, setPageText] = useState(String(gridState.page));
  useEffect(() => setPageText(String(gridState.page)), [gridState.page]);
  const from = (gridState.page - 1) * pageSize + 1;
  const submitPage = () => {
    const page = Number(pageText);
    if (Number.isInteger(page) && page >= 1 && page <= pages) goToPage(page);
    else setPageText(String(gridState.page));
  };
  return (
    <div className={classes.pager}>
      {rows.length > 0 ? (
        <span className={classes.range}>
          {t('range', {
            from: formatNumber(from),
            to: formatNumber(from + rows.length - 1),
            total: formatNumber(count),
          })}
        </span>
      ) : null}
      {pages > 1 ? (
        <nav className={classes.pages} aria-label={t('page')}>
          <Tool
            label={t('first')}
            isDesktopOnly
            icon={IconChevronsLeft}
            word={null}
            disabled={gridState.page <= 1}
            onClick={() => goToPage(1)}
          />
          <Tool
            label={t('previous')}
            icon={IconChevronLeft}
            word={null}
            disabled={gridState.page <= 1}
            onClick={() => goToPage(gridState.page - 1)}
          />
          <TextInput
            aria-label={t('page')}
            className={classes.pageNumber!}
            inputMode="numeric"
            value={pageText}
            onChange={(event) => setPageText(event.currentTarget.value)}
            onFocus={(event) => event.currentTarget.select()}
            onBlur={submitPage}
            onKeyDown={(event) => event.key === 'Enter' && submitPage()}
          />
          <span className={classes.range}>{t('ofPages', { pages: formatNumber(pages) })}</span>
          <Tool
            label={t('next')}
            icon={IconChevronRight}
            word={null}
            disabled={gridState.page >= pages}
            onClick={() => goToPage(gridState.page + 1)}
          />
          <Tool
            label={t('last')}
            isDesktopOnly
            icon={IconChevronsRight}
            word={null}
            disabled={gridState.page >= pages}
            onClick={() => goToPage(pages)}
          />
        </nav>
      ) : null}
    </div>
  );
}
