import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useSession } from '../../api/index.ts';
import { useEditorAddress } from '../../frame/screen-list.ts';
import { resourceKey } from '../../list/index.ts';
import { formatNumber, useText } from '../../text/index.ts';
import { breakpoints } from '../../theme/index.ts';
import { DateText, IdText } from '../../ui/index.ts';
import classes from './record-summary.module.css';
import { type RecordUsage, readFacts, readLastChange, usageRelations } from './usages.ts';

interface RecordSummaryProps {
  resource: string;
  id: string;
}

/** Beside a wide editor: which record it is, when it was made and changed and by whom, and what uses it. */
export function RecordSummary({ resource, id }: RecordSummaryProps) {
  const isWide = useMediaQuery(`(min-width: ${breakpoints.summary})`, false, { getInitialValueInEffect: false });
  return isWide && usageRelations.has(resource) ? <Summary resource={resource} id={id} /> : null;
}

function Summary({ resource, id }: RecordSummaryProps) {
  const t = useText('editor');
  const isPerson = resource === 'user' || resource === 'admin';
  const isAdmin = useSession()?.is_sys_admin === true;
  const { data: facts, error } = useQuery({
    queryKey: [...resourceKey(resource), 'summary', id],
    queryFn: ({ signal }) => readFacts(resource, id, signal),
  });
  const { data: changedBy } = useQuery({
    queryKey: [...resourceKey(resource), 'summary', id, 'changed by'],
    queryFn: ({ signal }) => readLastChange(resource, id, signal),
    enabled: isAdmin,
  });
  return (
    <aside className={classes.summary} aria-label={t('summary.title')}>
      <dl className={classes.facts}>
        <dt>{t('summary.id')}</dt>
        <dd>
          <IdText>{id}</IdText>
        </dd>
        {error ? <dd className={classes.soft}>{t('summary.failed')}</dd> : null}
        {facts ? (
          <>
            {facts.created ? (
              <>
                <dt>{t('summary.created')}</dt>
                <dd>
                  <DateText value={facts.created} />
                </dd>
              </>
            ) : null}
            {facts.changed ? (
              <>
                <dt>{t('summary.changed')}</dt>
                <dd>
                  <DateText value={facts.changed} />
                  {changedBy ? <span className={classes.soft}>{t('summary.by', { who: changedBy })}</span> : null}
                </dd>
              </>
            ) : null}
            <dt>{t(isPerson ? 'summary.has' : 'summary.usedBy')}</dt>
            {facts.usages.every(({ count }) => count === 0) ? (
              <dd className={classes.soft}>{t(isPerson ? 'summary.hasNone' : 'summary.unused')}</dd>
            ) : (
              facts.usages.map((usage) => (usage.count > 0 ? <Usage key={usage.kind} usage={usage} /> : null))
            )}
          </>
        ) : null}
      </dl>
    </aside>
  );
}

function Usage({ usage: { kind, resource, count, named } }: { usage: RecordUsage }) {
  const t = useText('editor');
  const addressOf = useEditorAddress();
  return (
    <dd>
      {t(`summary.used.${kind}`, { count, number: formatNumber(count) })}
      <ul className={classes.names}>
        {named.map(({ id, name }) => {
          const address = addressOf(resource, id);
          return <li key={id}>{address ? <Link to={address}>{name}</Link> : name}</li>;
        })}
        {count > named.length ? (
          <li className={classes.soft}>{t('summary.more', { number: formatNumber(count - named.length) })}</li>
        ) : null}
      </ul>
    </dd>
  );
}
