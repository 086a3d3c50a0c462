import { useText } from '../../text/index.ts';
import type { PageTab } from '../../ui/index.ts';
import { base, listAddress } from './address.ts';
import { useScriptNames } from './sources.ts';

/** The two ways to a script: by its event, and by its name. */
export function useTabs(): PageTab[] {
  const t = useText('scripts');
  const { data: names } = useScriptNames();
  return [
    { label: t('tabs.events'), to: base, end: true },
    { label: names ? t('tabs.allCounted', { count: names.length }) : t('tabs.all'), to: listAddress },
  ];
}
