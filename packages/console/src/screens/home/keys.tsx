import { Button, Text } from '@mantine/core';
import { Link } from 'react-router';
import { useText } from '../../text/index.ts';
import { DateText, Failed } from '../../ui/index.ts';
import { newestKey, unusedKeys } from './facts.ts';
import classes from './home.module.css';
import { Panel } from './panel.tsx';
import { isAbsent, useKeyUse } from './sources.ts';

/** Keys that are shown; the list of apps has them all. */
const maxRows = 6;

/** Keys nobody used for long: each is a door that is open for nobody. */
export const UnusedKeys = () => {
  const t = useText('home');
  const { data, error, refetch } = useKeyUse();
  if (isAbsent(error) || (!error && !data)) return null;
  const unused = unusedKeys(data ?? [], Date.now());
  // Without any key there is nothing to say of them.
  if (data && !newestKey(data)) return null;
  return (
    <Panel title={t('keys')} text={t('keysText')}>
      {!data && <Failed error={error} onRetry={() => refetch()} />}
      {data && unused.length === 0 && <Text className={classes.note}>{t('noUnusedKeys')}</Text>}
      {unused.length > 0 && (
        <ul className={classes.rows}>
          {unused.slice(0, maxRows).map(({ id, name, last_used }) => (
            <li key={id} className={classes.row}>
              <Link to={`/apps/${id}`} className={classes.rowLink}>
                {name}
              </Link>
              <Text size="sm" c="dimmed">
                <DateText value={last_used} emptyText={t('neverUsed')} />
              </Text>
            </li>
          ))}
        </ul>
      )}
      {unused.length > maxRows && (
        <Button component={Link} to="/apps" variant="default" mt="sm">
          {t('allKeys', { count: unused.length })}
        </Button>
      )}
    </Panel>
  );
};
