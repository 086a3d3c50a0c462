import { fillBlanks, type UsageEntry, type UsageSentenceId, usageSentences } from '@sluice/contract';

/** A thousand rows of a role may name one table: more places than this are not listed one by one. */
export const maxEntries = 1000;

/** At most so many places, and whether there are more. */
export function limitEntries(entries: UsageEntry[]): UsageEntry[] {
  const [next] = entries.slice(maxEntries);
  if (!next) return entries;
  return [...entries.slice(0, maxEntries), { ...next, id: null, name: '…', ...tell('more') }];
}

/** Where in a place, for people and as data. */
export const tell = (
  id: UsageSentenceId,
  values: Record<string, string> = {},
): Pick<UsageEntry, 'detail' | 'sentence'> => ({
  detail: fillBlanks(usageSentences[id], values),
  sentence: { id, values },
});
