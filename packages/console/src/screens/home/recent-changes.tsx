import { Button, Text } from '@mantine/core';
import { type AuditRecord, auditActions } from '@sluice/contract';
import { Link } from 'react-router';
import { useText } from '../../text/index.ts';
import { DateText, Failed } from '../../ui/index.ts';
import classes from './home.module.css';
import { Panel } from './panel.tsx';
import { changedResources, isAbsent, useRecentChanges } from './sources.ts';

/** Who changed what lately; each row opens its entry of the audit. */
export const RecentChanges = () => {
  const t = useText('home');
  const { data, error, refetch } = useRecentChanges();
  if (isAbsent(error) || (!error && !data)) return null;
  return (
    <Panel
      title={t('changes')}
      actions={
        data &&
        data.length > 0 && (
          <Button component={Link} to="/audit" variant="default">
            {t('allChanges')}
          </Button>
        )
      }
    >
      {!data && <Failed error={error} onRetry={() => refetch()} />}
      {data?.length === 0 && <Text c="dimmed">{t('noChanges')}</Text>}
      <ul className={classes.rows}>
        {data?.map((entry) => (
          <Change key={entry.id} entry={entry} />
        ))}
      </ul>
    </Panel>
  );
};

const Change = ({ entry }: { entry: AuditRecord }) => {
  const t = useText('audit');
  const home = useText('home');
  const { id, action, resource, record_id, record_name, user_email, created_date } = entry;
  const known = auditActions.find((name) => name === action);
  const kindName = changedResources.find((name) => name === resource);
  const kind = kindName ? home(`kind.${kindName}`) : resource;
  return (
    <li className={classes.row}>
      <div className={classes.name}>
        <Link to={`/audit/${id}`} className={classes.rowLink}>
          {`${known ? t(`did.${known}`) : action} ${kind} ${record_name || `#${record_id}`}`}
        </Link>
        <Text size="sm" c="dimmed" truncate>
          {user_email ?? t('platform')}
        </Text>
      </div>
      <Text size="sm" c="dimmed">
        <DateText value={created_date} />
      </Text>
    </li>
  );
};
