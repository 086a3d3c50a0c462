// What an import of an app has made outside of its transaction, and how it is taken back when a later step fails
// (docs/adr/0031-app-packages-whole-or-not.md).
import { Failure } from '@sluice/contract';
import type { Call } from '../../../call/call.ts';
import { withSignal } from '../../../call/exchange.ts';
import type { RecordInput } from '../../../call/payload.ts';
import { databaseParts, takeBackTables } from '../../../database/index.ts';
import { innerCall } from '../../../gateway/inner-call.ts';
import type { Storage } from '../../../storage/index.ts';
import { type PackageParts, valueAt } from '../inside.ts';
import { alone } from '../system-records.ts';

/** In the order in which it was made. */
export interface Made {
  app: number;
  services: number[];
  tables: { service: string; names: string[] }[];
  /** Records in tables that had been there. */
  records: { service: string; table: string; records: RecordInput[] }[];
  files?: { service: string; storage: Storage; folders: string[]; files: string[] };
}

/** Milliseconds for all of it; it goes on when the caller has left. */
const takeBackTime = 5 * 60_000;
/** Records that are deleted by one call. */
const chunkLength = 100;

/** Takes everything back, the last first; answers what it could not. */
export async function takeBack(parts: PackageParts, outer: Call, made: Made): Promise<string[]> {
  const call = withSignal(outer, AbortSignal.timeout(takeBackTime));
  const left: string[] = [];
  const attempt = async (what: string, run: () => Promise<unknown>) => {
    try {
      await run();
    } catch (error) {
      left.push(what);
      if (!(error instanceof Failure)) parts.log.warn({ err: error, what }, 'A failed import was not taken back.');
    }
  };
  const { service = '', storage, folders = [], files = [] } = made.files ?? {};
  if (storage) {
    for (const path of files) await attempt(`${service}/${path}`, () => storage.deleteFile(path));
    for (const path of folders.toReversed()) await attempt(`${service}/${path}/`, () => storage.deleteFolder(path));
  }
  for (const { service, table, records } of made.records.toReversed())
    for (let at = 0; at < records.length; at += chunkLength) {
      const payload = { resource: records.slice(at, at + chunkLength) };
      const what = `${payload.resource.length} records of ${service}/_table/${table}`;
      await attempt(what, () => valueAt(parts, call, 'DELETE', [service, `_table/${table}`], { payload }));
    }
  for (const { service, names } of made.tables.toReversed())
    await attempt(names.map((name) => `${service}/_schema/${name}`).join(', '), () =>
      dropTables(parts, call, service, names),
    );
  await attempt(`system/app/${made.app}`, () => parts.records.deleteOne('app', made.app, alone, { actor: call }));
  for (const id of made.services.toReversed())
    await attempt(`system/service/${id}`, () => parts.records.deleteOne('service', id, alone, { actor: call }));
  return left;
}

async function dropTables(parts: PackageParts, call: Call, service: string, names: string[]): Promise<void> {
  const row = (await parts.services().rows()).find(({ key }) => key === service.toLowerCase());
  const database = row && (await parts.services().openById(row.id)).provided(databaseParts);
  if (!database) throw new Error(`the service '${service}' is gone`);
  const { requestor } = call.caller;
  await takeBackTables(innerCall(call, { verb: 'DELETE', service, path: '_schema', requestor }), names, database);
}
