import { Checkbox } from '@mantine/core';
import { Link } from 'react-router';
import { useText } from '../text/index.ts';
import classes from './list.module.css';
import type { RowsProps } from './list-table.tsx';
import type { Id } from './selection.ts';

/** The rows on a phone: a card each, with its title, a line beneath, and what stands at the edge. */
export function ListCards({ list, columns, label, nameOf, addressOf, linkState, menuOf }: RowsProps) {
  const t = useText('list');
  const at = (place: string) => columns.filter((each) => each.card === place);
  return (
    <ul className={classes.cards} aria-label={label} aria-busy={list.isFetching}>
      {list.rows.map((row) => {
        const id = row[list.identifier] as Id;
        const name = nameOf(row);
        const lines = at('line').map((each) => ({ key: each.name, content: each.cell(row) }));
        return (
          <li key={String(id)} className={classes.card} data-chosen={list.selection.ids.has(id) || undefined}>
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
