import { Button, Progress, Text } from '@mantine/core';
import { IconSchema } from '@tabler/icons-react';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { formatNumber, useText } from '../../../text/index.ts';
import { Empty, Failed, Page, usePageTitle } from '../../../ui/index.ts';
import { makeAddress } from '../address/addresses.ts';
import type { Progress as ReadProgress } from '../address/read-tables.ts';
import { useSchemaServices } from '../address/sources.ts';
import classes from './diagram.module.css';
import { Diagram } from './diagram.tsx';
import { buildModel } from './model.ts';
import { useDiagramTables } from './use-diagram-tables.ts';

/** The tables of a service and their relations, drawn; with `table` at first only its neighbourhood. */
export function DiagramView({ service, table }: { service: string; table: string | null }) {
  const t = useText('schema');
  const { data, error, progress, isFetching, refetch } = useDiagramTables(service);
  const current = useSchemaServices().data?.find(({ name }) => name === service);
  const serviceId = current?.id ?? null;
  const label = current?.label || service;
  const model = useMemo(() => (data ? buildModel(data.tables, serviceId) : null), [data, serviceId]);
  const title = t('diagram.titleOf', { service: label });
  usePageTitle(title);

  if (!model)
    return (
      <Page title={title}>
        {error && !isFetching ? (
          <Failed error={error} title={t('diagram.failed', { service: label })} onRetry={() => void refetch()} />
        ) : (
          <Reading progress={progress} />
        )}
      </Page>
    );
  const missing = data?.missing.length ?? 0;
  if (model.tables.size === 0) {
    const create = (
      <Button component={Link} to={makeAddress(service, 'table')}>
        {t('diagram.create')}
      </Button>
    );
    const why = missing > 0 ? t('leftOut', { count: missing }) : t('diagram.noTablesText');
    return (
      <Page title={title}>
        <Empty icon={IconSchema} title={t('diagram.noTables')} text={why} action={missing > 0 ? null : create} />
      </Page>
    );
  }
  return (
    <div className={classes.view}>
      <Diagram service={service} label={label} table={table} model={model} progress={isFetching ? progress : null}>
        {error ? (
          <p className={classes.note} role="alert">
            {t('diagram.stale', { reason: error.message })}{' '}
            <Button size="compact-xs" variant="default" onClick={() => void refetch()}>
              {t('diagram.retry')}
            </Button>
          </p>
        ) : null}
        {missing > 0 ? (
          <p className={classes.note} title={data?.missing.slice(0, 50).join(', ')}>
            {t('leftOut', { count: missing })}
          </p>
        ) : null}
      </Diagram>
    </div>
  );
}

function Reading({ progress }: { progress: ReadProgress | null }) {
  const t = useText('schema');
  const total = progress?.total ?? 0;
  const words = progress
    ? t('diagram.readingOf', { read: formatNumber(progress.read), total: formatNumber(total) })
    : t('diagram.reading');
  return (
    <div className={classes.waiting}>
      <Text size="sm" c="dimmed" role="status">
        {words}
      </Text>
      <Progress value={total > 0 ? (100 * (progress?.read ?? 0)) / total : 0} aria-label={t('diagram.reading')} />
    </div>
  );
}
