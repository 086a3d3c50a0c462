import { Button, Loader } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../../api/index.ts';
import { useText } from '../../../text/index.ts';
import { schemaPath } from '../address/sources.ts';
import { askPlan, knowsPlans, type PlanOutcome } from './ask-plan.ts';
import { Fold } from './fold.tsx';
import classes from './plan.module.css';
import { UsageList } from './usage-list.tsx';

interface UsedByProps {
  service: string;
  table: string;
  field?: string;
}

/** Where else a table, or its `field`, is named; for administrators. Asked when it is unfolded. */
export function UsedBy(props: UsedByProps) {
  const t = useText('schema');
  const isAdmin = useSession()?.is_sys_admin === true;
  const [isOpen, setOpen] = useState(false);
  if (!isAdmin || (knowsPlans(props.service) === false && !isOpen)) return null;
  return (
    <div className={classes.usedBy}>
      <Fold isOpen={isOpen} onToggle={setOpen} head={<strong>{t('plan.usedBy')}</strong>}>
        <UsageAnswer {...props} />
      </Fold>
    </div>
  );
}

interface Usages {
  outcome: PlanOutcome;
  /** Why it cannot be dropped now; empty where it can. */
  refusals: string[];
}

/** A plan tells what names a table or a field that is to be dropped, or renamed where the drop would be refused; neither is done. */
async function findUsages({ service, table, field }: UsedByProps, signal: AbortSignal): Promise<Usages> {
  const path = field === undefined ? schemaPath(table) : schemaPath(table, '_field', field);
  const ofDrop = await askPlan(service, { verb: 'DELETE', path }, signal);
  if (ofDrop.kind !== 'refused') return { outcome: ofDrop, refusals: [] };
  const body = { new_name: `${field ?? table}_` };
  const ofRename = await askPlan(service, { verb: 'PATCH', path, body }, signal);
  return { outcome: ofRename, refusals: ofDrop.messages };
}

function UsageAnswer(props: UsedByProps) {
  const t = useText('schema');
  const { service, table, field } = props;
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['schema', service, 'usedBy', table, field ?? null],
    queryFn: ({ signal }) => findUsages(props, signal),
    staleTime: 0,
  });
  if (isFetching || !data)
    return (
      <p className={classes.waiting} role="status">
        <Loader size="xs" aria-hidden /> {t('plan.usedByWaiting')}
      </p>
    );
  const { outcome, refusals } = data;
  if (outcome.kind === 'absent') return <p>{t('plan.usedByAbsent')}</p>;
  if (outcome.kind === 'failed')
    return (
      <div role="alert">
        <p>{t('plan.usedByFailed')}</p>
        <Button variant="default" size="compact-sm" onClick={() => void refetch()}>
          {t('plan.retry')}
        </Button>
      </div>
    );
  const entries = outcome.kind === 'planned' ? outcome.tables.flatMap(({ used_by }) => used_by) : [];
  return (
    <>
      {refusals.map((message) => (
        <p key={message}>{t('plan.dropRefused', { message })}</p>
      ))}
      {entries.length > 0 ? <UsageList entries={entries} /> : null}
      {entries.length === 0 && refusals.length === 0 ? <p>{t('plan.unused')}</p> : null}
    </>
  );
}
