import { useText } from '../../text/index.ts';
import type { PageTab } from '../../ui/index.ts';

/** What was done, and what was not. */
export function useAuditTabs(): PageTab[] {
  const t = useText('audit');
  return [
    { label: t('tabs.done'), to: '/audit', end: true },
    { label: t('tabs.failed'), to: '/audit/failed' },
  ];
}
