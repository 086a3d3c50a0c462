// The places that name a table or a field: what a write makes of them, and how they are grouped.
import type { UsageEntry } from '@sluice/contract';
import type { SchemaWrite } from '../address/write.ts';

/** An entry of `used_by`; its field is null where the table itself is named. */
export type Usage = UsageEntry & { field: string | null };

/** What moves is dropped by DELETE, or by PUT, which leaves out what goes; otherwise it is renamed. */
const isDropped = ({ verb }: SchemaWrite, { field }: Usage): boolean =>
  verb === 'DELETE' || (verb === 'PUT' && field !== null);

/** Whether somebody has to look at the place after the write. */
export const staysAfter = (write: SchemaWrite, entry: Usage): boolean =>
  (isDropped(write, entry) ? entry.onDrop : entry.onRename) === 'stays';

export const usageKinds = ['role', 'recordFilter', 'extras', 'virtualRelation', 'foreignKey'] as const;

/** By kind, in their order; only kinds that occur. */
export const groupByKind = (entries: readonly Usage[]): { kind: UsageEntry['kind']; entries: Usage[] }[] =>
  usageKinds
    .map((kind) => ({ kind, entries: entries.filter((entry) => entry.kind === kind) }))
    .filter((group) => group.entries.length > 0);
