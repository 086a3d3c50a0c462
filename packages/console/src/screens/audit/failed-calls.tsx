// The last calls of a service that failed: what the errors on Home are made of.
import { Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useSearchParams } from 'react-router';
import { serverText, useText } from '../../text/index.ts';
import { CopyButton, DateText, dropDownProps, Empty, Failed, Loading, Page, SearchSelect } from '../../ui/index.ts';
import classes from './audit.module.css';
import { AuditTable } from './audit-table.tsx';
import { useAuditTabs } from './audit-tabs.ts';
import { type FailedCall, useFailedCalls, useServiceNames } from './sources.ts';

/** /audit/failed?service=db */
export function FailedCalls() {
  const t = useText('audit');
  const [address, setAddress] = useSearchParams();
  const service = address.get('service') ?? '';
  const { data: names = [] } = useServiceNames();
  const { data: calls, error, isPending, refetch } = useFailedCalls(service);
  return (
    <Page title={t('title')} tabs={useAuditTabs()}>
      <Text className={classes.hint}>{t('failedCalls.hint')}</Text>
      <section className={classes.panel} aria-label={t('failedCalls.title')}>
        <div className={classes.filters}>
          <SearchSelect
            {...dropDownProps}
            label={t('failedCalls.service')}
            placeholder={t('failedCalls.choose')}
            data={[...new Set([...names, ...(service ? [service] : [])])]}
            value={service || null}
            onChange={(next) => setAddress(next ? { service: next } : {}, { replace: true })}
            searchable
          />
        </div>
        {service === '' ? (
          <Empty icon={IconCircleCheck} title={t('failedCalls.none')} text={t('failedCalls.noneText')} />
        ) : isPending ? (
          <div className={classes.skeleton}>
            <Loading shape="rows" count={6} />
          </div>
        ) : error ? (
          <Failed error={error} title={t('failedCalls.failed')} onRetry={() => void refetch()} />
        ) : calls.length === 0 ? (
          <Empty icon={IconCircleCheck} title={t('failedCalls.empty', { service })} text={t('failedCalls.emptyText')} />
        ) : (
          <Calls service={service} calls={calls} />
        )}
      </section>
    </Page>
  );
}

function Calls({ service, calls }: { service: string; calls: readonly FailedCall[] }) {
  const t = useText('audit');
  return (
    <AuditTable data-calls aria-label={t('failedCalls.title')}>
      {calls.map((call) => (
        <tr key={call.request_id}>
          <td className={classes.when}>
            <DateText value={call.at} />
          </td>
          <td data-label={t('columns.who')}>
            <span className={classes.line}>
              <span className={classes.words}>{call.user_email ?? (call.app ? '' : t('failedCalls.stranger'))}</span>
              {call.app ? <span className={classes.soft}>{call.app}</span> : null}
            </span>
          </td>
          <td data-label={t('columns.what')}>
            <code className={classes.path}>{`${call.verb} ${service}/${call.path}`}</code>
          </td>
          <td data-label={t('columns.from')}>
            <code>{call.ip_address}</code>
          </td>
          <td data-label={t('columns.outcome')}>
            <span className={classes.reason}>
              <span className={classes.outcome} data-good={false}>
                {`${call.status}${call.message ? ` · ${serverText(call.message)}` : ''}`}
              </span>
              <CopyButton value={call.request_id} thing={t('request')} />
            </span>
          </td>
        </tr>
      ))}
    </AuditTable>
  );
}
