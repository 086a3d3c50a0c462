// Limits: how many calls a period may have, and how many there were (LIM-001). record.ts, counters.ts and endpoints.ts decide, the
// rest draws.
import { SectionRoutes } from '../../editor/index.ts';
import { useText } from '../../text/index.ts';
import { Failed, Loading, Page } from '../../ui/index.ts';
import { LimitEditor } from './editor.tsx';
import { LimitsList } from './list.tsx';
import { useHasLimits } from './sources.ts';
import { SubscriptionRequired } from './subscription.tsx';

/** The section; on a server without the resource only why it is empty (LIM-006, LIM-007). */
export function LimitsScreen() {
  const t = useText('limits');
  const { hasLimits, error, isForbidden, retry } = useHasLimits();
  if (hasLimits)
    return <SectionRoutes list={<LimitsList />} firstTab="limit" editor={({ id }) => <LimitEditor id={id} />} />;
  if (hasLimits === false) return <SubscriptionRequired />;
  return (
    <Page title={t('title')}>
      {isForbidden ? null : error ? <Failed error={error} title={t('loadFailed')} onRetry={retry} /> : <Loading />}
    </Page>
  );
}
