// The version of a record, and writes that apply only to the version their sender has seen.
import { fail } from '@sluice/contract';
import type { StoredRow } from '../resource/resource.ts';

/** A row's version as an entity tag. The creation date is part of it, since a name may be used again. */
export const etagOf = ({ version, created_date }: StoredRow): string | undefined =>
  version === undefined ? undefined : `"${version}-${Date.parse(String(created_date)) || 0}"`;

/**
 * Refuses a write on a record of another version than `ifMatch` names: a list of versions as If-Match has it (RFC 9110
 * §13.1.1); `*`, or undefined, takes any.
 */
export function checkIfMatch(ifMatch: string | undefined, row: StoredRow): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  const versions = ifMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  const version = etagOf(row);
  if (version !== undefined && !versions.includes(version)) throw fail('record.stale');
}
