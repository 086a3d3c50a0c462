import { useCallback, useLayoutEffect, useRef } from 'react';
import { type NavigateOptions, useSearchParams } from 'react-router';

/**
 * The parameters of the address, and what changes them. A change builds on the one before it, also where that is not shown
 * yet: React may take its time with it, and the router alone would begin with what is shown and lose it.
 */
export function useAddress() {
  const [params, setParams] = useSearchParams();
  const latest = useRef(params);
  const latestSet = useRef(setParams);
  useLayoutEffect(() => {
    latest.current = params;
    latestSet.current = setParams;
  }, [params, setParams]);
  const change = useCallback((next: (params: URLSearchParams) => URLSearchParams, options?: NavigateOptions) => {
    latest.current = next(latest.current);
    latestSet.current(latest.current, options);
  }, []);
  return [params, change] as const;
}
