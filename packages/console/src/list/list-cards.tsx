import { useRef } from 'react';
import { Link } from 'react-router';
import { useText } from '../text/index.ts';
import type { Row } from './column.tsx';
import classes from './list.module.css';
import { useListReturn } from './list-return.ts';
import type { RowsProps } from './list-table.tsx';
import { rowLink, useEnterList, useRowKeys } from './row-keys.ts';
import type { Id } from './selection.ts';
import { Tick } from './tick.tsx';
import { useRenderedRows } from './use-rendered-rows.ts';

/** From so many cards on, only those in sight are rendered. */
const virtualFrom = 200;
const cardHeight = 64;

/** The rows on a phone: a card each, with its title, a line beneath, and what stands at the edge. */
export function ListCards({ list, columns, label, base, nameOf, addressOf, linkState, menuOf }: RowsProps) {
  const t = useText('list');
  const columnsAt = (position: string) => columns.filter((column) => column.card === position);
  const cards = useRef<HTMLUListElement>(null);
  const { rows, identifier } = list;
  const keyOf = (index: number) => String(rows[index]?.[identifier] ?? index);
  const { rendered, before, after, measure, scrollTo } = useRenderedRows(cards, {
    count: rows.length,
    virtualFrom,
    rowKey: keyOf,
    rowHeight: cardHeight,
  });
  const focusRow = (index: number) => rowLink(cards.current, index)?.focus();
  useListReturn(cards, { base, rows, identifier, focusRow });
  const moveTo = (index: number) => {
    scrollTo(index);
    focusRow(index);
  };
  useRowKeys(cards, { count: rows.length, moveTo, enter: useEnterList(list, moveTo) });
  return (
    <ul
      ref={cards}
      className={classes.cards}
      style={measure ? { paddingBlock: `${before}px ${after}px` } : undefined}
      aria-label={label}
      aria-busy={list.isFetching}
    >
      {rendered.map((index) => {
        const row = rows[index] as Row;
        const id = row[list.identifier] as Id;
        const name = nameOf(row);
        const lines = columnsAt('line').map((column) => ({ key: column.name, content: column.cell(row) }));
        return (
          <li
            key={String(id)}
            ref={measure}
            className={classes.card}
            data-index={index}
            data-row={index}
            data-chosen={list.selection.ids.has(id) || undefined}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
          >
            <span className={classes.cardTick}>
              {list.isDeletable(row) ? (
                <Tick
                  label={t('selectRow', { name })}
                  isTicked={list.selection.ids.has(id)}
                  onChange={() => list.tick(id, false)}
                />
              ) : null}
            </span>
            <div className={classes.cardWords}>
              <Link to={addressOf(row)} state={linkState} className={classes.cardTitle} data-row-link>
                {columnsAt('title').map((column) => column.cell(row) || name)}
              </Link>
              <div className={classes.cardLines}>
                {lines
                  .filter(({ content }) => content !== '' && content !== null)
                  .map(({ key, content }) => (
                    <span key={key}>{content}</span>
                  ))}
              </div>
            </div>
            <div className={classes.cardEdge}>
              {columnsAt('edge').map((column) => (
                <span key={column.name}>{column.cell(row)}</span>
              ))}
            </div>
            {menuOf(row)}
          </li>
        );
      })}
    </ul>
  );
}
