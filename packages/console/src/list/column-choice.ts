// Which columns a person sees in a list, how wide, and how dense; kept in this browser for each person.
import { useCallback, useState } from 'react';
import { useSession } from '../api/index.ts';

export interface ColumnChoice {
  hidden: string[];
  /** Pixels, by column name. */
  widths: Record<string, number>;
}

export const minWidth = 56;
export const maxWidth = 900;
const noChoice: ColumnChoice = { hidden: [], widths: {} };

const keyOf = (person: number | undefined, list: string) => `sluice.columns.${person ?? 'anyone'}.${list}`;

/** What was kept; anything unreadable counts as no choice. */
export function parseColumnChoice(text: string | null): ColumnChoice {
  try {
    const stored: unknown = JSON.parse(text ?? 'null');
    if (typeof stored !== 'object' || stored === null) return noChoice;
    const { hidden, widths } = stored as Partial<ColumnChoice>;
    return {
      hidden: Array.isArray(hidden) ? hidden.filter((name) => typeof name === 'string') : [],
      widths: Object.fromEntries(Object.entries(widths ?? {}).filter(([, width]) => Number.isFinite(width))),
    };
  } catch {
    return noChoice;
  }
}

/** A width a column can have. */
export const clampWidth = (width: number): number => Math.round(Math.min(maxWidth, Math.max(minWidth, width)));

/** The choice of the person signed in for one list, and how to change it. */
export function useColumnChoice(list: string) {
  const key = keyOf(useSession()?.id, list);
  const [state, setState] = useState(() => ({ key, choice: parseColumnChoice(localStorage.getItem(key)) }));
  const { choice } = state.key === key ? state : { choice: parseColumnChoice(localStorage.getItem(key)) };

  const saveChoice = useCallback(
    (next: ColumnChoice) => {
      setState({ key, choice: next });
      if (next.hidden.length === 0 && Object.keys(next.widths).length === 0) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(next));
    },
    [key],
  );

  return {
    choice,
    toggle: (name: string) =>
      saveChoice({
        ...choice,
        hidden: choice.hidden.includes(name)
          ? choice.hidden.filter((hiddenName) => hiddenName !== name)
          : [...choice.hidden, name],
      }),
    resize: (name: string, width: number) =>
      saveChoice({ ...choice, widths: { ...choice.widths, [name]: clampWidth(width) } }),
    reset: () => saveChoice(noChoice),
  };
}

const densityKey = 'sluice.density';

/** Whether rows are compact; one choice for all lists of this browser. */
export function useDensity(): [isCompact: boolean, setCompact: (isCompact: boolean) => void] {
  const [isCompact, setCompact] = useState(() => localStorage.getItem(densityKey) === 'compact');
  return [
    isCompact,
    (next) => {
      setCompact(next);
      if (next) localStorage.setItem(densityKey, 'compact');
      else localStorage.removeItem(densityKey);
    },
  ];
}
