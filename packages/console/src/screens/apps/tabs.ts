import { useLocation } from 'react-router';
import { useText } from '../../text/index.ts';
import type { PageTab } from '../../ui/index.ts';
import { base, importAddress } from './address.ts';

/** The tabs of the section (NAV-024). The editor of a new app leads back to where it was opened. */
export function useAppTabs(): PageTab[] {
  const t = useText('apps');
  const { pathname, search } = useLocation();
  const state = { from: pathname + search };
  return [
    { label: t('manage'), to: base, end: true },
    { label: t('create'), to: `${base}/create`, state },
    { label: t('import.tab'), to: importAddress },
  ];
}
