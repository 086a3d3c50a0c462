import { type RefObject, useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { leadToError } from '../../ui/index.ts';
import type { EditorTab } from '../editor-tabs.ts';

interface ShownErrors {
  /** How often errors were shown. */
  shown: number;
  /** By the paths of the fields. */
  errors: Readonly<Record<string, unknown>>;
}

/** Leads to what is wrong, each time errors are shown: to the tab, then to the first field at fault on it. */
export function useLeadToError(
  { shown, errors }: ShownErrors,
  tabs: readonly EditorTab[] | undefined,
  formRef: RefObject<HTMLElement | null>,
): void {
  const navigate = useNavigate();
  const { pathname, state } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when errors are shown
  useEffect(() => {
    const fields = Object.keys(errors);
    if (shown === 0 || fields.length === 0) return;
    const atFault = tabs?.filter(({ holds }) => fields.some(holds)) ?? [];
    const [first] = atFault;
    if (first && !atFault.some(({ to }) => to === pathname)) navigate(first.to, { state });
    return leadToError(() => formRef.current);
  }, [shown]);
}
