import { useEffect } from 'react';
import { apiUrl, reachable } from '../api/send.ts';
import { useStore } from '../ui/store.ts';

const probeInterval = 3000;

/** While the server does not answer, knocks every three seconds; any answer counts, and what the page shows is then read again. */
export const useOutageWatch = (): void => {
  const isReachable = useStore(reachable);
  useEffect(() => {
    if (isReachable) return;
    const probe = () =>
      fetch(apiUrl(''), { method: 'GET', cache: 'no-store', credentials: 'omit' }).then(
        () => reachable.set(true),
        () => undefined,
      );
    const timer = setInterval(probe, probeInterval);
    window.addEventListener('online', probe);
    return () => {
      clearInterval(timer);
      window.removeEventListener('online', probe);
    };
  }, [isReachable]);
};
