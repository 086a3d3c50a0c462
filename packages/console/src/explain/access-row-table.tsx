import { Button } from '@mantine/core';
import { type ExplainedRow, type Requestor, requestorMask, verbsOf } from '@sluice/contract';
import { IconCheck, IconMinus } from '@tabler/icons-react';
import { useState } from 'react';
import { useText } from '../text/index.ts';
import classes from './explain.module.css';

/** Rows shown before one asks for the rest. */
const initialRows = 8;
/** As many as the server lists (contract: Explanation). */
const maxRows = 200;

/** The rows of the role: which counted, and why the others did not. */
export function AccessRowTable({ rows }: { rows: readonly ExplainedRow[] }) {
  const t = useText('explain');
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, initialRows);
  const heads = ['number', 'counts', 'service', 'component', 'verbs', 'requestor', 'why'] as const;
  return (
    <div className={classes.stack}>
      <table className={classes.table} data-rows aria-label={t('rows.title')}>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {t(`rows.${head}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.id} data-counts={row.counts}>
              <td data-label={t('rows.number')} className={classes.rowNumber}>
                {row.number}
              </td>
              <td data-label={t('rows.counts')}>
                <span className={classes.counts}>
                  {row.counts ? <IconCheck aria-hidden /> : <IconMinus aria-hidden />}
                  {t(row.counts ? 'rows.yes' : 'rows.no')}
                </span>
              </td>
              <td data-label={t('rows.service')}>{row.service ?? t('rows.allServices')}</td>
              <td data-label={t('rows.component')}>
                {row.component === '' ? t('rows.root') : <code>{row.component}</code>}
              </td>
              <td data-label={t('rows.verbs')}>{verbsOf(row.verb_mask).join(' ') || t('rows.noVerbs')}</td>
              <td data-label={t('rows.requestor')}>{requestorsOf(row.requestor_mask).join(', ')}</td>
              <td data-label={t('rows.why')}>{t(`rows.because.${row.why}`)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isWhole && rows.length >= maxRows ? (
        <span className={classes.soft}>{t('rows.most', { count: maxRows })}</span>
      ) : null}
      {rows.length > initialRows ? (
        <Button variant="default" size="xs" className={classes.more ?? ''} onClick={() => setWhole(!isWhole)}>
          {isWhole ? t('rows.fewer') : t('rows.more', { count: rows.length - initialRows })}
        </Button>
      ) : null}
    </div>
  );
}

const requestorsOf = (mask: number): Requestor[] =>
  (Object.keys(requestorMask) as Requestor[]).filter((requestor) => (mask & requestorMask[requestor]) !== 0);
