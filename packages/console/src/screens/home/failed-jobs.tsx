import { Button, Text } from '@mantine/core';
import { Link } from 'react-router';
import { formatNumber, useText } from '../../text/index.ts';
import { Failed } from '../../ui/index.ts';
import classes from './home.module.css';
import { Panel } from './panel.tsx';
import { isAbsent, useFailedJobs } from './sources.ts';

/** Jobs that failed for good: nobody does them unless somebody looks. Absent while there are none. */
export const FailedJobs = () => {
  const t = useText('home');
  const { data: count, error, refetch } = useFailedJobs();
  if (isAbsent(error) || (!error && !count)) return null;
  return (
    <Panel title={t('jobs')}>
      {count === undefined ? (
        <Failed error={error} onRetry={() => refetch()} />
      ) : (
        <>
          <Text className={classes.note}>{t('failedJobs', { count, jobs: formatNumber(count) })}</Text>
          <Button component={Link} to="/jobs?state=failed" variant="default" mt="sm">
            {t('showFailedJobs')}
          </Button>
        </>
      )}
    </Panel>
  );
};
