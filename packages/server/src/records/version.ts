// The version of a record as an ETag, and writes that only go on top of the version their sender has seen (If-Match).
import { fail } from '@sluice/contract';
import type { Call, Reply } from '../call/call.ts';
import type { StoredRow } from '../resource/resource.ts';

/** A row's version; when it was made is part of it, since a name may be given again. */
const versionOf = ({ version, created_date }: StoredRow): string | undefined =>
  version === undefined ? undefined : `"${version}-${Date.parse(String(created_date)) || 0}"`;

/** Tells the version of the one record an answer holds. */
export function marked(reply: Reply, row: StoredRow): Reply {
  const version = versionOf(row);
  return version === undefined ? reply : { ...reply, headers: { ...reply.headers, ETag: version } };
}

/** Refuses a write on one record whose If-Match names other versions than the one there is; `*` takes any. */
export function requireMatch(call: Pick<Call, 'header'>, row: StoredRow): void {
  const wanted = call.header('if-match');
  if (wanted === undefined || wanted.trim() === '*') return;
  const versions = wanted.split(',').map((it) => it.trim().replace(/^W\//, ''));
  const version = versionOf(row);
  if (version !== undefined && !versions.includes(version)) throw fail('record.stale');
}
