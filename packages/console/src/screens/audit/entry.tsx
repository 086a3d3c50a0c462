import { Button, Title } from '@mantine/core';
import { type AuditAction, type AuditRecord, auditActions } from '@sluice/contract';
import { IconArrowLeft, IconHistory } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { ApiError } from '../../api/index.ts';
import { useEditorAddress } from '../../frame/screen-list.ts';
import { isForbidden } from '../../list/index.ts';
import { type Change, changesOf, valueText } from '../../list/record-changes.ts';
import { useText } from '../../text/index.ts';
import { CopyButton, DateText, Failed, IdText, Loading, NotAllowed, Page } from '../../ui/index.ts';
import classes from './audit.module.css';
import { ActionBadge, Outcome } from './badges.tsx';
import { editorOf, useAppName, useEntry } from './sources.ts';

/** One entry: who, what, from where, and the record before and after. */
export function AuditEntry({ id }: { id: string }) {
  const t = useText('audit');
  const { state } = useLocation();
  const { data, error, isPending, refetch } = useEntry(id);
  const isMissing = error instanceof ApiError && error.status === 404;
  const back = (
    <Button
      component={Link}
      to={(state as { from?: string } | null)?.from ?? '/audit'}
      variant="default"
      leftSection={<IconArrowLeft className={classes.icon} aria-hidden />}
    >
      {t('back')}
    </Button>
  );
  return (
    <Page title={data ? headingOf(data, (action) => t(`did.${action}`)) : t('entry', { id })} actions={back}>
      {data ? (
        <Entry entry={data} />
      ) : isForbidden(error) ? (
        <NotAllowed text={t('forbidden')} />
      ) : error ? (
        <Failed
          error={error}
          title={isMissing ? t('gone') : t('failed')}
          onRetry={isMissing ? undefined : () => void refetch()}
        />
      ) : isPending ? (
        <Loading shape="form" />
      ) : null}
    </Page>
  );
}

/** `Changed role reader`; of an action nobody knows, its name. */
function headingOf(
  { action, resource, record_name, record_id, user_email }: AuditRecord,
  actionText: (action: AuditAction) => string,
) {
  const knownAction = auditActions.find((name) => name === action);
  const what = knownAction ? actionText(knownAction) : (action ?? '');
  const isSession = action === 'sign_in' || action === 'sign_out';
  const name = isSession
    ? (user_email ?? '')
    : `${resource ?? ''} ${record_name || (record_id ? `#${record_id}` : '')}`;
  return `${what} ${name}`.trim();
}

function Entry({ entry }: { entry: AuditRecord }) {
  const t = useText('audit');
  const appName = useAppName();
  const editorAddress = useEditorAddress();
  const editor = editorOf(entry, editorAddress);
  const appEditor = editorAddress('app', entry.app_id);
  const record = entry.record_name || (entry.record_id ? `#${entry.record_id}` : '–');
  const changes = changesOf(entry.before, entry.after);
  const history = new URLSearchParams({ resource: entry.resource ?? '', record: entry.record_id ?? '' });
  return (
    <div className={classes.entry}>
      <dl className={classes.facts}>
        <Fact name={t('columns.when')}>
          <DateText value={entry.created_date} />
        </Fact>
        <Fact name={t('columns.who')}>
          {entry.user_email ?? t('platform')}
          {entry.user_id === null ? null : <span className={classes.soft}>#{entry.user_id}</span>}
        </Fact>
        <Fact name={t('app')}>
          {entry.app_id === null ? (
            t('noApp')
          ) : appEditor ? (
            <Link to={appEditor} className={classes.link}>
              {appName(entry.app_id)}
            </Link>
          ) : (
            appName(entry.app_id)
          )}
        </Fact>
        <Fact name={t('columns.what')}>
          <ActionBadge action={entry.action} />
          <span className={classes.soft}>{entry.resource}</span>
          {editor ? (
            <Link to={editor} className={classes.link}>
              {record}
            </Link>
          ) : (
            record
          )}
          {entry.record_id ? <span className={classes.soft}>#{entry.record_id}</span> : null}
        </Fact>
        <Fact name={t('columns.outcome')}>
          <Outcome outcome={entry.outcome} />
        </Fact>
        <Fact name={t('columns.from')}>
          <code>{entry.ip_address ?? '–'}</code>
        </Fact>
        <Fact name={t('agent')}>{entry.user_agent ?? '–'}</Fact>
        {entry.request_id ? (
          <Fact name={t('request')}>
            <IdText>{entry.request_id}</IdText>
            <CopyButton value={entry.request_id} thing={t('request')} />
          </Fact>
        ) : null}
      </dl>
      {entry.resource && entry.record_id ? (
        <Button
          component={Link}
          to={`/audit?${history}`}
          variant="default"
          size="xs"
          className={classes.history ?? ''}
          leftSection={<IconHistory className={classes.icon} aria-hidden />}
        >
          {t('history')}
        </Button>
      ) : null}
      {changes.length > 0 ? <Changes entry={entry} changes={changes} /> : null}
    </div>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className={classes.fact}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const titles = new Map<string, 'created' | 'deleted' | 'tried'>([
  ['create', 'created'],
  ['delete', 'deleted'],
  ['test', 'tried'],
]);

/** Before and after side by side; only the side there is, of a record that came or went. */
function Changes({ entry, changes }: { entry: AuditRecord; changes: readonly Change[] }) {
  const t = useText('audit');
  const sides = [
    ...(changes.some(({ before }) => before !== undefined) ? (['before'] as const) : []),
    ...(changes.some(({ after }) => after !== undefined) ? (['after'] as const) : []),
  ];
  const title = t(titles.get(entry.action ?? '') ?? 'changed');
  return (
    <section>
      <Title order={2} className={classes.heading}>
        {title}
      </Title>
      <table className={classes.changes} aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{t('field')}</th>
            {sides.map((side) => (
              <th key={side} scope="col">
                {t(side)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {changes.map((change) => (
            <tr key={change.field} data-changed={change.isChanged || undefined}>
              <th scope="row">
                <code>{change.field}</code>
                {change.isChanged ? <span className={classes.mark}>{t('mark')}</span> : null}
              </th>
              {sides.map((side) => (
                <td key={side} data-label={t(side)} data-side={side}>
                  <Value text={valueText(change[side])} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Value({ text }: { text: string | undefined }) {
  const t = useText('audit');
  if (text === undefined) return <span className={classes.soft}>{t('absent')}</span>;
  if (text === 'null') return <span className={classes.soft}>null</span>;
  if (text === '') return <span className={classes.soft}>{t('blank')}</span>;
  return <pre className={classes.value}>{text}</pre>;
}
