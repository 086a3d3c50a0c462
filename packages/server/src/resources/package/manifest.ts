// `GET system/package`: what the caller can export (contract/packages.md §1).
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure, truthy } from '@sluice/contract';
import { pause } from '@sluice/sql';
import { componentOf } from '../../access/decide.ts';
import { decideFor, maskOfService } from '../../access/gate.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import type { ServiceRow } from '../../service/registry.ts';
import { contractVersion } from '../../settings/version.ts';
import { openStorage } from '../../storage/storage.ts';
import { isRefusal, namesAt, type PackageParts, recordsAt } from './inside.ts';
import { identifierOf, nameInPackage, type PackageKind, packageKinds, packageVersion } from './kinds.ts';

/** Entries of one list. */
const maxEntries = 100_000;
/** Records that are read at once. */
const pageLength = 500;
/** Milliseconds after which a service counts as unreachable, and how many are asked at once. */
const serviceTimeout = 10_000;
const servicesAtOnce = 8;

export async function answerManifest(parts: PackageParts, call: Call): Promise<Reply> {
  const service = new Map<string, unknown>([['system', await systemLists(parts, call)]]);
  if (!truthy(call.query.get('system_only'))) {
    const rows = (await parts.services().rows()).filter(
      ({ isActive, key }) => isActive && key !== 'system' && maskOfService(call.caller, key) !== 0,
    );
    for (let at = 0; at < rows.length; at += servicesAtOnce) {
      const some = rows.slice(at, at + servicesAtOnce);
      const lists = await Promise.all(some.map((row) => serviceLists(parts, call, row)));
      for (const [index, { name }] of some.entries()) if (lists[index]) service.set(name, lists[index]);
    }
  }
  return answer({ ...packageHeader({ secured: false, description: '' }), service: Object.fromEntries(service) });
}

/** What stands first in a manifest. */
export const packageHeader = ({ secured, description }: { secured: boolean; description: string }) => ({
  version: packageVersion,
  df_version: contractVersion,
  secured,
  description,
  created_date: `${new Date().toISOString().slice(0, 19)}Z`,
});

async function systemLists(parts: PackageParts, call: Call): Promise<Record<string, unknown>> {
  const lists = new Map<string, unknown[]>();
  for (const kind of packageKinds)
    try {
      const records = await readIndex(parts, call, kind);
      if (records.length > 0)
        lists.set(
          kind.resource,
          records.map((record) => manifestItem(kind, record)),
        );
    } catch (error) {
      // What the caller may not read is not in it.
      if (!isRefusal(error)) throw error;
    }
  return Object.fromEntries(lists);
}

const manifestItem = (kind: PackageKind, record: Record<string, unknown>): unknown => {
  if (kind.key !== 'email') return nameInPackage(kind, record);
  const { username, email, first_name, last_name } = record;
  return { username, email, first_name, last_name };
};

/** Every record of a kind by what names it, in order of its identifier. */
export async function readIndex(
  parts: PackageParts,
  call: Call,
  kind: PackageKind,
): Promise<Record<string, unknown>[]> {
  const identifier = identifierOf(kind);
  const names = kind.key === 'email' ? ['username', 'email', 'first_name', 'last_name'] : [kind.key];
  const fields = [...new Set([identifier, ...names])].join(',');
  const found: Record<string, unknown>[] = [];
  const limit = Math.min(pageLength, parts.settings.maxRecords);
  while (found.length < maxEntries) {
    const query = { fields, order: identifier, limit: String(limit), offset: String(found.length) };
    const page = await recordsAt(parts, call, ['system', kind.resource], { query });
    found.push(...page);
    if (page.length < limit) break;
  }
  return found;
}

/** What of a service can be exported; undefined where there is nothing of the kind. */
async function serviceLists(parts: PackageParts, call: Call, row: ServiceRow): Promise<unknown> {
  const type = parts.services().type(row.type);
  if (!type) return { reachable: false };
  if (!type.can.files && !type.can.tables) return undefined;
  const stop = new AbortController();
  const late = sleep(serviceTimeout, undefined, { signal: stop.signal, ref: false }).then(() => {
    throw new Late();
  });
  late.catch(() => {});
  try {
    const lists = type.can.files ? fileList(parts, call, row) : databaseLists(parts, call, row);
    lists.catch(() => {});
    return await Promise.race([lists, late]);
  } catch (error) {
    // What is wrong with a service is no reason to show nothing of the others.
    if (error instanceof Failure || error instanceof Late) return isRefusal(error) ? undefined : { reachable: false };
    throw error;
  } finally {
    stop.abort();
  }
}

class Late extends Error {}

async function databaseLists(parts: PackageParts, call: Call, { name }: ServiceRow): Promise<unknown> {
  const lists = new Map<string, unknown>();
  for (const part of ['_schema', '_table'])
    try {
      lists.set(part, await namesAt(parts, call, [name, part]));
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  return lists.size === 0 ? undefined : { reachable: true, ...Object.fromEntries(lists) };
}

/** The paths that the caller may read: their rights are decided path by path. */
async function fileList(parts: PackageParts, call: Call, { id, key }: ServiceRow): Promise<unknown> {
  const storage = (await parts.services().openById(id)).provided(openStorage);
  if (!storage) return { reachable: false };
  const isRecursive = truthy(call.query.get('full_tree'));
  const paths: string[] = [];
  for await (const { type, path } of storage.list('', { isRecursive, namesOnly: true, skipsDenied: true })) {
    await pause();
    if (paths.length >= maxEntries || call.signal.aborted) break;
    const shown = type === 'folder' ? `${path}/` : path;
    if (decideFor(call.caller, 'GET', key, componentOf(shown)).allowed) paths.push(shown);
  }
  return paths;
}
