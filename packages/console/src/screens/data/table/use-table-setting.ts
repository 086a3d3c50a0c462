import { useCallback, useMemo, useState } from 'react';
import { useSession } from '../../../api/index.ts';

interface TableSetting<T> {
  /** Reads the stored text; null when nothing is stored. */
  parse: (text: string | null) => T;
  /** Whether nothing is worth storing. */
  isEmpty: (value: T) => boolean;
}

/** A setting of a table, stored in this browser for each person and table. */
export function useTableSetting<T>(
  name: 'columns' | 'views',
  service: string,
  table: string,
  { parse, isEmpty }: TableSetting<T>,
): [T, (next: T) => void] {
  const key = `sluice.data.${name}.${useSession()?.id ?? 'anyone'}.${JSON.stringify([service, table])}`;
  const [state, setState] = useState(() => ({ key, value: parse(localStorage.getItem(key)) }));
  const value = useMemo(
    () => (state.key === key ? state.value : parse(localStorage.getItem(key))),
    [state, key, parse],
  );
  const store = useCallback(
    (next: T) => {
      setState({ key, value: next });
      if (isEmpty(next)) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(next));
    },
    [key, isEmpty],
  );
  return [value, store];
}
