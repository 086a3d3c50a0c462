// The search in the diagram: what matches, and going from one to the next.
import { useMemo, useState } from 'react';
import { type DiagramModel, findMatches, type Match } from './model.ts';

export interface SearchControl {
  text: string;
  setText: (text: string) => void;
  matches: Match[];
  /** By the name of the table. */
  matchOf: ReadonlyMap<string, Match>;
  /** Which of the matches is shown; -1: none yet. */
  index: number;
  go: (step: 1 | -1) => void;
}

/** `show` brings the table of a match into view. */
export function useSearch(model: DiagramModel, show: (table: string) => void): SearchControl {
  const [text, setText] = useState('');
  const [index, setIndex] = useState(-1);
  const matches = useMemo(() => findMatches(model, text), [model, text]);
  const matchOf = useMemo(() => new Map(matches.map((match) => [match.table, match])), [matches]);
  return {
    ...{ text, matches, matchOf, index },
    setText: (next) => {
      setText(next);
      setIndex(-1);
    },
    go: (step) => {
      if (matches.length === 0) return;
      const start = index < 0 && step < 0 ? 0 : index;
      const next = (start + step + matches.length) % matches.length;
      setIndex(next);
      show(matches[next]!.table);
    },
  };
}
