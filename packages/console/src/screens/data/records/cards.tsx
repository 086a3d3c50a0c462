import { Checkbox } from '@mantine/core';
import { Link } from 'react-router';
import { useText } from '../../../text/index.ts';
import { keyText } from '../address/grid-state.ts';
import { type Columns, titleFieldName } from '../table/columns.ts';
import type { TableState } from '../table/use-table.ts';
import { CellValue } from '../values/cell-value.tsx';
import { valueText } from '../values/values.ts';
import { useWrongLead } from '../writing/use-wrong-lead.ts';
import classes from './cards.module.css';

/** The most fields a card shows below its title. */
const maxDetailFields = 3;

/** The records on a phone: a card each. */
export function Cards({ state, columns, label }: { state: TableState; columns: Columns; label: string }) {
  const t = useText('data');
  const { schema, rows, rowKeys, fields, selection } = state;
  useWrongLead(state.wrongLead, () => {
    if (!state.isPaneWrong) state.openWrongRecord();
  });
  const titleField = schema && titleFieldName(schema);
  const detailFields = fields
    .filter(({ name }) => name !== titleField && columns.visible.includes(name))
    .slice(0, maxDetailFields);
  return (
    <ul className={classes.cards} aria-label={label} aria-busy={state.isFetching}>
      {rows.map((row, index) => {
        const key = rowKeys[index] ?? null;
        const id = key && keyText(key);
        const { drafts, errors = {} } = (key && state.editOf(key)) ?? {};
        const value = (name: string) => (drafts && Object.hasOwn(drafts, name) ? drafts[name] : row[name]);
        const title = (titleField && valueText(value(titleField))) || key?.join(' / ') || '–';
        return (
          <li
            key={id ?? `row-${index}`}
            className={classes.card}
            data-unsaved={state.isDirty(key) || undefined}
            data-wrong={(state.isDirty(key) && Object.keys(errors).length > 0) || undefined}
            data-chosen={(id && selection.ids.has(id)) || undefined}
          >
            {id ? (
              <Checkbox
                aria-label={t('selectRow', { record: key!.join(' / ') })}
                checked={selection.ids.has(id)}
                onChange={() => state.toggleRow(id, false)}
                className={classes.cardTick!}
              />
            ) : null}
            <div className={classes.cardWords}>
              {key ? (
                <Link to={state.recordLocation(key)} className={classes.cardTitle}>
                  {title}
                </Link>
              ) : (
                <span className={classes.cardTitle}>{title}</span>
              )}
              <dl className={classes.cardLines}>
                {detailFields.map((field) => (
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
