import type { Completions } from '../../ui/index.ts';

/** What fits at the caret in a body: a name that its schema knows, where JSON has one. */
export function completeNames(before: string, names: ReadonlyMap<string, string>): Completions | null {
  const [, typed] = /[{,]\s*"([^"\\]*)$/.exec(before) ?? [];
  if (typed === undefined) return null;
  return {
    length: typed.length,
    options: [...names].map(([label, detail]) => ({ label, detail, kind: 'property' as const })),
  };
}
