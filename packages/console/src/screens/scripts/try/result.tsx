// What a dry run found: what would change, the event before and after, the calls that were not made, what it printed.
import type { DryRun, DryRunChanges } from '@sluice/contract';
import { type ReactNode, useMemo, useState } from 'react';
import { formatNumber, serverText, useText } from '../../../text/index.ts';
import { OutcomeBadge } from '../runs/outcome.tsx';
import { diffLines, foldRows } from './diff.ts';
import classes from './try.module.css';

export function TryResult({ result, mayModify }: { result: DryRun; mayModify: boolean }) {
  const t = useText('scripts');
  const { outcome, milliseconds, error, effect, calls, store, log, returned, before, after } = result;
  const changes = [...changesOf('request', effect.request), ...changesOf('response', effect.response)];
  const message = messageOf(error);
  return (
    <section className={classes.result} aria-label={t('try.result')}>
      <header className={classes.resultHead}>
        <OutcomeBadge outcome={outcome} />
        <span className={classes.soft}>{t('runs.milliseconds', { number: formatNumber(milliseconds) })}</span>
      </header>
      {message ? (
        <p className={classes.error} role="alert">
          {message}
        </p>
      ) : null}
      <Part title={t('try.effect')}>
        {changes.length > 0 ? (
          <table className={classes.changes}>
            <thead>
              <tr>
                <th scope="col">{t('try.what')}</th>
                <th scope="col">{t('try.from')}</th>
                <th scope="col">{t('try.to')}</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ name, from, to }) => (
                <tr key={name}>
                  <th scope="row">
                    <code>{name}</code>
                  </th>
                  <td data-side="before">
                    <pre>{textOf(from)}</pre>
                  </td>
                  <td data-side="after">
                    <pre>{textOf(to)}</pre>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          <p className={classes.soft}>{t(mayModify || outcome !== 'done' ? 'try.noEffect' : 'try.mayNot')}</p>
        )}
      </Part>
      {after === null ? null : (
        <Part title={t('try.event')}>
          <SideBySide before={textOf(before)} after={textOf(after)} />
        </Part>
      )}
      {returned === undefined ? null : (
        <Part title={t('try.returned')}>
          <pre className={classes.text}>{textOf(returned)}</pre>
        </Part>
      )}
      {calls.length > 0 ? (
        <Part title={t('try.calls')}>
          <ul className={classes.list}>
            {calls.map(({ verb, path, payload, status_code, done }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the calls of one run, in their order
              <li key={index}>
                <code>{`${verb} ${path}`}</code>
                <span className={classes.mark} data-done={(done && (status_code ?? 0) < 400) || undefined}>
                  {done ? t('try.done', { status: status_code ?? '' }) : t('try.notDone')}
                </span>
                {payload === undefined ? null : <pre className={classes.text}>{textOf(payload)}</pre>}
              </li>
            ))}
          </ul>
        </Part>
      ) : null}
      {store.length > 0 ? (
        <Part title={t('try.store')}>
          <ul className={classes.list}>
            {store.map(({ action, key, value, done }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the uses of one run, in their order
              <li key={index}>
                <code>{`${action} ${key}`}</code>
                {value === undefined ? null : <code>{JSON.stringify(value)}</code>}
                {action === 'set' && !done ? <span className={classes.mark}>{t('try.notDone')}</span> : null}
              </li>
            ))}
          </ul>
        </Part>
      ) : null}
      {log === '' ? null : (
        <Part title={t('log.title')}>
          <pre className={classes.text}>{log}</pre>
        </Part>
      )}
    </section>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.part}>
    <h2>{title}</h2>
    {children}
  </section>
);

const changesOf = (part: 'request' | 'response', changes: DryRunChanges = {}) =>
  Object.entries(changes).map(([name, { from, to }]) => ({ name: `${part}.${name}`, from, to }));

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);

/** The message of a wire error, wrapped or bare. */
function messageOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return typeof error === 'string' ? error : null;
  const { message, error: inner } = error as { message?: unknown; error?: unknown };
  return typeof message === 'string' ? serverText(message) : inner === undefined ? null : messageOf(inner);
}

/** Rows that are drawn at most; what comes behind is said. */
const maxRows = 2_000;

function SideBySide({ before, after }: { before: string; after: string }) {
  const t = useText('scripts');
  const [isWhole, setWhole] = useState(false);
  const rows = useMemo(() => diffLines(before, after), [before, after]);
  const pieces = useMemo(() => (isWhole ? [{ rows: [...rows], isFolded: false }] : foldRows(rows)), [rows, isWhole]);
  const isSame = rows.every(({ isChanged }) => !isChanged);
  const folded = pieces.filter(({ isFolded }) => isFolded).reduce((sum, piece) => sum + piece.rows.length, 0);
  let drawn = 0;
  return (
    <>
      <div className={classes.diff}>
        <table aria-label={t('try.event')}>
          <colgroup>
            <col className={classes.lineColumn} />
            <col />
            <col className={classes.lineColumn} />
            <col />
          </colgroup>
          <thead>
            <tr>
              <th scope="col" colSpan={2}>
                {t('try.before')}
              </th>
              <th scope="col" colSpan={2}>
                {t('try.after')}
              </th>
            </tr>
          </thead>
          <tbody>
            {pieces.map(({ rows: lines, isFolded }) => {
              const first = lines[0];
              const key = `${first?.before?.number ?? ''}:${first?.after?.number ?? ''}`;
              if (isFolded)
                return (
                  <tr key={key} className={classes.fold}>
                    <td colSpan={4}>{t('try.folded', { count: lines.length })}</td>
                  </tr>
                );
              const shown = lines.slice(0, Math.max(0, maxRows - drawn));
              drawn += shown.length;
              return shown.map(({ before: left, after: right, isChanged }) => (
                <tr key={`${left?.number ?? ''}:${right?.number ?? ''}`} data-changed={isChanged || undefined}>
                  <td className={classes.lineNumber}>{left?.number}</td>
                  <td data-side="before">
                    {left ? <span className={classes.sign}>{isChanged ? '−' : ''}</span> : null}
                    {left?.text}
                  </td>
                  <td className={classes.lineNumber}>{right?.number}</td>
                  <td data-side="after">
                    {right ? <span className={classes.sign}>{isChanged ? '+' : ''}</span> : null}
                    {right?.text}
                  </td>
                </tr>
              ));
            })}
          </tbody>
        </table>
      </div>
      <p className={classes.soft}>
        {isSame ? t('try.same') : null}{' '}
        {rows.length > maxRows && isWhole ? t('try.cut', { count: rows.length - maxRows }) : null}{' '}
        {folded > 0 || isWhole ? (
          <button type="button" className={classes.link} onClick={() => setWhole(!isWhole)}>
            {t(isWhole ? 'try.fold' : 'try.unfold')}
          </button>
        ) : null}
      </p>
    </>
  );
}
