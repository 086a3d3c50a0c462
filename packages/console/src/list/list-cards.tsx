import { Checkbox } from '@mantine/core';
import { useRef } from 'react';
import { Link } from 'react-router';
import { useText } from '../text/index.ts';
import type { Row } from './column.tsx';
import classes from './list.module.css';
import type { RowsProps } from './list-table.tsx';
import type { Id } from './selection.ts';
import { useDrawn } from './use-drawn.ts';

/** From so many cards on only those in sight are drawn. */
const virtualFrom = 200;
const cardHeight = 64;

/** The rows on a phone: a card each, with its title, a line beneath, and what stands at the edge. */
export function ListCards({ list, columns, label, nameOf, addressOf, linkState, menuOf }: RowsProps) {
  const t = useText('list');
  const at = (place: string) => columns.filter((each) => each.card === place);
  const cards = useRef<HTMLUListElement>(null);
  const { rows, identifier } = list;
  const keyOf = (place: number) => String(rows[place]?.[identifier] ?? place);
  const { drawn, before, after, measure } = useDrawn(cards, {
    count: rows.length,
    virtualFrom,
    keyOf,
    rowHeight: cardHeight,
  });
  return (
    <ul
      ref={cards}
      className={classes.cards}
      style={measure ? { paddingBlock: `${before}px ${after}px` } : undefined}
      aria-label={label}
      aria-busy={list.isFetching}
    >
      {drawn.map((place) => {
        const row = rows[place] as Row;
        const id = row[list.identifier] as Id;
        const name = nameOf(row);
        const lines = at('line').map((each) => ({ key: each.name, content: each.cell(row) }));
        return (
          <li
            key={String(id)}
            ref={measure}
            className={classes.card}
            data-index={place}
            data-chosen={list.selection.ids.has(id) || undefined}
            aria-setsize={rows.length}
            aria-posinset={place + 1}
          >
            <span className={classes.cardTick}>
              {list.isDeletable(row) ? (
                <Checkbox
                  aria-label={t('selectRow', { name })}
                  checked={list.selection.ids.has(id)}
                  onChange={() => list.tick(id, false)}
                />
              ) : null}
            </span>
            <div className={classes.cardWords}>
              <Link to={addressOf(row)} state={linkState} className={classes.cardTitle}>
                {at('title').map((each) => each.cell(row) || name)}
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
              {at('edge').map((each) => (
                <span key={each.name}>{each.cell(row)}</span>
              ))}
            </div>
            {menuOf(row)}
          </li>
        );
      })}
    </ul>
  );
}
