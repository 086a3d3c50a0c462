import { Checkbox } from '@mantine/core';
import { Link } from 'react-router';
import { useText } from '../../../text/index.ts';
import { keyText } from '../place/place.ts';
import { type Columns, namingField } from '../table/columns.ts';
import type { TableState } from '../table/use-table.ts';
import { CellValue } from '../values/cell-value.tsx';
import { valueText } from '../values/values.ts';
import classes from './cards.module.css';

/** How many fields a card shows beneath its title. */
const lines = 3;

/** The records on a phone: a card each. */
export function Cards({ state, columns, label }: { state: TableState; columns: Columns; label: string }) {
  const t = useText('data');
  const { schema, rows, keys, fields, selection } = state;
  const naming = schema && namingField(schema);
  const below = fields.filter(({ name }) => name !== naming && columns.shown.includes(name)).slice(0, lines);
  return (
    <ul className={classes.cards} aria-label={label} aria-busy={state.isFetching}>
      {rows.map((row, index) => {
        const key = keys[index] ?? null;
        const id = key && keyText(key);
        const drafts = key ? state.editOf(key)?.drafts : undefined;
        const value = (name: string) => (drafts && name in drafts ? drafts[name] : row[name]);
        const title = (naming && valueText(value(naming))) || key?.join(' / ') || '–';
        return (
          <li
            key={id ?? `row-${index}`}
            className={classes.card}
            data-unsaved={state.isUnsaved(key) || undefined}
            data-chosen={(id && selection.ids.has(id)) || undefined}
          >
            {id ? (
              <Checkbox
                aria-label={t('selectRow', { record: key!.join(' / ') })}
                checked={selection.ids.has(id)}
                onChange={() => state.tick(id, false)}
                className={classes.cardTick!}
              />
            ) : null}
            <div className={classes.cardWords}>
              {key ? (
                <Link to={state.addressOf(key)} className={classes.cardTitle}>
                  {title}
                </Link>
              ) : (
                <span className={classes.cardTitle}>{title}</span>
              )}
              <dl className={classes.cardLines}>
                {below.map((field) => (
                  <div key={field.name}>
                    <dt>{field.name}</dt>
                    <dd>
                      <CellValue field={field} value={value(field.name)} />
                    </dd>
                  </div>
                ))}
              </dl>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
