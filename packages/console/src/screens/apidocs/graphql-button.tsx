import { Button, Popover, Text } from '@mantine/core';
import { graphqlAddress, useConsoleSettings } from '../../api/index.ts';
import { quoteForShell } from '../../calls/index.ts';
import { useText } from '../../text/index.ts';
import { CopyButton } from '../../ui/index.ts';
import classes from './apidocs.module.css';
import { sampleQuery } from './sample-query.ts';
import { useDocument } from './sources.ts';

/** Says where GraphQL is, with a query of the service; nothing where the service has no table to read, or the instance no GraphQL. */
export function GraphqlButton({ service }: { service: string }) {
  const t = useText('apidocs');
  const settings = useConsoleSettings();
  const { data } = useDocument(service);
  const query = data && sampleQuery(service, data);
  if (query === undefined || !settings.graphql) return null;
  const address = graphqlAddress();
  const command = [
    `curl ${quoteForShell(address)} -H 'Content-Type: application/json'`,
    `-H "X-DreamFactory-API-Key: $SLUICE_KEY" -d ${quoteForShell(JSON.stringify({ query }))}`,
  ].join(' ');
  return (
    <Popover position="bottom-end" width={360} trapFocus withinPortal={false}>
      <Popover.Target>
        <Button variant="default">{t('graphql.open')}</Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.client ?? ''} aria-label={t('graphql.open')}>
        <Text size="sm">{t('graphql.what')}</Text>
        <div className={classes.command}>
          <code>{address}</code>
          <CopyButton value={address} thing={t('graphql.address')} />
        </div>
        <Text size="xs" c="var(--s-text-soft)">
          {t('graphql.query')}
        </Text>
        <div className={classes.command}>
          <code>{command}</code>
          <CopyButton value={command} thing={t('graphql.command')} />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
