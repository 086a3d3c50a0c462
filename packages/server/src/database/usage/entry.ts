import type { UsageEntry } from '@sluice/contract';

/** A thousand rows of a role may name one table: more places than this are not listed one by one. */
export const maxEntries = 1000;

/** At most so many places, and whether there are more. */
export function limitEntries(entries: UsageEntry[]): UsageEntry[] {
  const [next] = entries.slice(maxEntries);
  if (!next) return entries;
  return [
    ...entries.slice(0, maxEntries),
    { ...next, id: null, name: '…', detail: 'There are more places than are listed.' },
  ];
}
