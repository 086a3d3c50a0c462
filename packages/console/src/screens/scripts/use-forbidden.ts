import { useEffect } from 'react';
import { useNavigate } from 'react-router';
import { isForbidden } from '../../list/index.ts';
import { useText } from '../../text/index.ts';
import { notify } from '../../ui/index.ts';

/** A 401 or 403 while the section loads: a message says which permission is missing, and the console goes home (SCR-021, OPEN-067). */
export function useScriptsForbidden(error: unknown): boolean {
  const t = useText('scripts');
  const navigate = useNavigate();
  const isRefused = isForbidden(error);
  useEffect(() => {
    if (!isRefused) return;
    notify.error(t('title'), t('permission'));
    navigate('/home', { replace: true });
  }, [isRefused, t, navigate]);
  return isRefused;
}
