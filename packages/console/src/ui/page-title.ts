import { useEffect } from 'react';
import { useText } from '../text/index.ts';

/** Names the browser's tab after the page. */
export const usePageTitle = (title: string): void => {
  const t = useText('common');
  useEffect(() => {
    document.title = `${title} · ${t('product')}`;
  }, [title, t]);
};
