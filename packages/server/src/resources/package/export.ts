// `POST system/package` with a manifest: what it names goes into a zip, and that into a file service (contract/packages.md §2–3).
// Each item is read by an ordinary call of the caller.
import { createHash } from 'node:crypto';
import os from 'node:os';
import { Readable } from 'node:stream';
import { Failure, fail, splitNames, truthy } from '@sluice/contract';
import { pause } from '@sluice/sql';
import { type ArchiveWriter, withArchive } from '../../archive/index.ts';
import { answer, type Call, type Reply } from '../../call/call.ts';
import { isRecord, type RecordInput, stringifyInput } from '../../call/payload.ts';
import type { ServiceRow } from '../../service/registry.ts';
import { readHandle } from '../../storage/temporary-file.ts';
import { callAt, isMissing, isRefusal, type PackageParts, recordsAt, valueAt } from './inside.ts';
import { identifierOf, kindOf, maxJson, nameInPackage, type PackageKind } from './kinds.ts';
import { packageHeader, readIndex } from './manifest.ts';
import { temporaryFolder } from './temporary.ts';

const minPassword = 6;
/** Items of one list, and tables of one service. */
const maxItems = 10_000;
/** Records that are read at once. */
const chunkLength = 100;

export async function exportPackage(parts: PackageParts, call: Call, body: RecordInput): Promise<Reply> {
  const password = readPassword(body);
  const items = await readItems(parts, body);
  const target = await findTarget(parts, body.storage);
  const manifest = new Map<string, unknown>();
  const options = { folder: temporaryFolder(parts.settings), limit: parts.settings.uploadLimit, password };
  return withArchive(
    options,
    async (archive) => {
      try {
        for (const { service, parts: lists } of items) manifest.set(service, await addService(service, lists));
        const header = packageHeader({
          secured: password !== undefined,
          description: stringifyInput(body.description),
        });
        if (![...manifest.values()].some(hasItems)) throw fail('package.empty');
        await addJson(archive, 'package.json', { ...header, service: Object.fromEntries(manifest) });
      } catch (error) {
        if (!(error instanceof Failure) || error.status < 500 || ownKeys.test(error.key)) throw error;
        throw fail('package.notExported', { text: error.message }, { cause: error });
      }

      async function addService(service: string, lists: ServiceItems): Promise<unknown> {
        if ('paths' in lists) return addFiles(parts, call, archive, service, lists.paths);
        const named = new Map<string, unknown>();
        for (const [resource, list] of lists.resources)
          named.set(
            resource,
            service.toLowerCase() === 'system'
              ? await addRecords(parts, call, archive, resource, list)
              : await addTables(parts, call, archive, service, resource, list),
          );
        return Object.fromEntries(named);
      }
    },
    (file) => save(parts, call, target, readHandle(file)),
  );
}

const ownKeys = /^package\./;

const hasItems = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : isRecord(value) && Object.values(value).some(hasItems);

function readPassword({ secured, password }: RecordInput): string | undefined {
  if (!truthy(secured)) return undefined;
  const text = stringifyInput(password);
  if (text === '') throw fail('package.passwordMissing');
  if (text.length < minPassword) throw fail('package.passwordShort');
  return text;
}

// ---- what is wanted ----

type ItemList = unknown[] | RecordInput;
/** Of a file service paths; of another lists by resource. */
type ServiceItems = { paths: string[] } | { resources: [resource: string, list: ItemList][] };

/** The items of a manifest, services and resources in the order of the manifest. */
async function readItems(
  { services }: PackageParts,
  { service }: RecordInput,
): Promise<{ service: string; parts: ServiceItems }[]> {
  if (!isRecord(service)) throw fail('package.empty');
  const rows = new Map((await services().rows()).map((row) => [row.key, row]));
  const found = Object.entries(service).flatMap(([name, value]): { service: string; parts: ServiceItems }[] => {
    const row = rows.get(name.toLowerCase());
    const isFiles = row && services().type(row.type)?.can.files === true;
    if (isFiles || typeof value === 'string' || Array.isArray(value)) {
      const paths = limited(typeof value === 'string' ? splitNames(value) : Array.isArray(value) ? value : []);
      return paths.length === 0 ? [] : [{ service: name, parts: { paths: [...new Set(paths.map(pathOf))] } }];
    }
    const lists = isRecord(value) ? Object.entries(value) : [];
    const resources = lists.flatMap(([resource, list]): [string, ItemList][] => {
      if (isRecord(list)) return [[resource, list]];
      const items = limited(typeof list === 'string' ? splitNames(list) : Array.isArray(list) ? list : []);
      return items.length === 0 ? [] : [[resource, items]];
    });
    return resources.length === 0 ? [] : [{ service: name, parts: { resources } }];
  });
  if (found.length === 0) throw fail('package.empty');
  return found;
}

const pathOf = (item: unknown): string => stringifyInput(isRecord(item) ? item.path : item);

function limited<T>(items: T[]): T[] {
  if (items.length > maxItems) throw fail('record.batchTooLarge', { limit: maxItems });
  return items;
}

// ---- records of the store ----

/** Adds records of a kind; answers how the manifest names them. */
async function addRecords(
  parts: PackageParts,
  call: Call,
  archive: ArchiveWriter,
  resource: string,
  list: ItemList,
): Promise<unknown[]> {
  const kind = kindOf(resource);
  if (!kind) throw fail('package.notGranular', { resource });
  const records = Array.isArray(list)
    ? await readKindRecords(parts, call, kind, await identifiersOf(parts, call, kind, list))
    : await readGranular(parts, call, kind, list);
  if (kind.key === 'email' && call.caller.user?.isAdmin) await addPasswords(parts, records);
  const stored = kind.resource === 'custom' ? records.map(({ name, value }) => ({ name, value })) : records;
  await addJson(archive, `system/${kind.resource}.json`, stored);
  return stored.map((record) => nameInPackage(kind, record));
}

/** The identifiers of listed records, in their order, each once. */
export async function identifiersOf(
  parts: PackageParts,
  call: Call,
  kind: PackageKind,
  list: unknown[],
): Promise<(string | number)[]> {
  const identifier = identifierOf(kind);
  const index = await readIndex(parts, call, kind);
  const byId = new Map(index.map((record) => [String(record[identifier]), record[identifier]]));
  const byName = new Map(index.map((record) => [String(record[kind.key]), record[identifier]]));
  const wanted = new Set(
    list.map((item) => {
      const value = isRecord(item) ? (item.id ?? item[kind.key] ?? item.email ?? item.name) : item;
      const text = stringifyInput(value);
      const found = typeof value === 'number' || kind.namedById ? byId.get(text) : byName.get(text);
      if (found === undefined) throw fail('package.itemMissing', { item: `system/${kind.resource}/${text}` });
      return found;
    }),
  );
  return index.map((record) => record[identifier] as string | number).filter((id) => wanted.has(id));
}

/** Records of a kind with all that packages have of them. */
export async function readKindRecords(
  parts: PackageParts,
  call: Call,
  kind: PackageKind,
  ids: (string | number)[],
): Promise<RecordInput[]> {
  const identifier = identifierOf(kind);
  const query = { fields: '*', related: kind.related.join(',') };
  const records: RecordInput[] = [];
  for (let at = 0; at < ids.length; at += chunkLength) {
    const payload = { resource: ids.slice(at, at + chunkLength).map((id) => ({ [identifier]: id })) };
    records.push(...(await recordsAt(parts, call, ['system', kind.resource], { query, payload })));
  }
  return records;
}

/** `{ids, filter, related}` in place of a list. */
async function readGranular(
  parts: PackageParts,
  call: Call,
  kind: PackageKind,
  { ids, filter, related }: RecordInput,
): Promise<RecordInput[]> {
  const idText = Array.isArray(ids) ? ids.map(stringifyInput).join(',') : stringifyInput(ids);
  const filterText = stringifyInput(filter);
  if (idText === '' && filterText === '') throw fail('package.noIds', { item: `system/${kind.resource}` });
  const relations = Array.isArray(related) ? related.map(stringifyInput) : splitNames(stringifyInput(related));
  const query = {
    fields: '*',
    related: [...new Set([...kind.related, ...relations])].join(','),
    ...(idText === '' ? { filter: filterText, order: identifierOf(kind) } : { ids: idText }),
  };
  return recordsAt(parts, call, ['system', kind.resource], { query });
}

/** Hashes of passwords, which no other call answers: for administrators alone. */
async function addPasswords({ store }: PackageParts, records: RecordInput[]): Promise<void> {
  for (let at = 0; at < records.length; at += chunkLength) {
    await pause();
    const some = records.slice(at, at + chunkLength);
    const ids = some.map(({ id }) => Number(id));
    const rows = await store.db.selectFrom('user').select(['id', 'password']).where('id', 'in', ids).execute();
    const hashes = new Map(rows.map(({ id, password }) => [id, password]));
    for (const record of some) record.password = hashes.get(Number(record.id)) ?? null;
  }
}

// ---- tables ----

async function addTables(
  parts: PackageParts,
  call: Call,
  archive: ArchiveWriter,
  service: string,
  resource: string,
  list: ItemList,
): Promise<string[]> {
  if (resource === '_proc' || resource === '_func') throw fail('package.routineNotExported', { resource });
  if (resource !== '_schema' && resource !== '_table') throw fail('package.notGranular', { resource });
  if (!Array.isArray(list))
    throw resource === '_table' ? fail('package.tableNotGranular') : fail('package.notGranular', { resource });
  const names = [...new Set(list.map((item) => stringifyInput(isRecord(item) ? item.name : item)))];
  const read = (name: string): Promise<unknown> =>
    requireItem(`${service}/${resource}/${name}`, async () => {
      if (resource === '_schema') return valueAt(parts, call, 'GET', [service, `_schema/${name}`]);
      return { name, record: await recordsAt(parts, call, [service, `_table/${name}`]) };
    });
  async function* texts(): AsyncGenerator<string> {
    for (const [at, name] of names.entries()) yield `${at === 0 ? '[' : ','}${JSON.stringify(await read(name))}`;
    yield ']';
  }
  await addText(archive, `${service}/${resource}.json`, texts());
  return names;
}

/** What a call inside reads; a 404 says which item is missing. */
export async function requireItem<T>(item: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw isMissing(error) ? fail('package.itemMissing', { item }, { cause: error }) : error;
  }
}

// ---- files ----

/** Adds files and folders that the caller may read; answers their paths. */
async function addFiles(
  parts: PackageParts,
  call: Call,
  archive: ArchiveWriter,
  service: string,
  paths: string[],
): Promise<string[]> {
  const added: string[] = [];
  for (const path of paths)
    try {
      const { reply, isFolder } = await openPath(parts, call, service, path);
      if (!('open' in reply.body)) throw fail('package.itemMissing', { item: `${service}/${path}` });
      const place = path.replace(/\/?$/, '/');
      const name = isFolder ? `${place === '/' ? '' : place}${md5(path)}.zip` : path;
      await archive.add(`${service}/${name}`, await reply.body.open());
      added.push(path);
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
  return added;
}

export const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

/** What is at a path, a folder as a zip: with a slash at its end it is one, otherwise it is looked at. */
async function openPath(
  parts: PackageParts,
  call: Call,
  service: string,
  path: string,
): Promise<{ reply: Reply; isFolder: boolean }> {
  const missing = fail('package.itemMissing', { item: `${service}/${path}` });
  if (path !== '' && !path.endsWith('/'))
    try {
      return { reply: await callAt(parts, call, 'GET', [service, path]), isFolder: false };
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  const folder = path === '/' || path === '' ? '' : path.replace(/\/?$/, '/');
  try {
    return { reply: await callAt(parts, call, 'GET', [service, folder], { query: { zip: 'true' } }), isFolder: true };
  } catch (error) {
    throw isMissing(error) ? missing : error;
  }
}

// ---- the archive ----

const addJson = (archive: ArchiveWriter, path: string, value: unknown) =>
  addText(archive, path, [JSON.stringify(value, undefined, 1)]);

/** A JSON text that an import can read whole. */
export function jsonText(path: string, value: unknown): string {
  const text = JSON.stringify(value, undefined, 1);
  if (Buffer.byteLength(text) > maxJson) throw fail('package.partTooLarge', { path, limit: maxJson });
  return text;
}

/** Adds a text that an import can read whole. */
async function addText(
  archive: ArchiveWriter,
  path: string,
  texts: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  async function* bounded(): AsyncGenerator<Buffer> {
    let size = 0;
    for await (const text of texts) {
      const bytes = Buffer.from(text);
      size += bytes.length;
      if (size > maxJson) throw fail('package.partTooLarge', { path, limit: maxJson });
      yield bytes;
    }
  }
  await archive.add(path, Readable.from(bounded()));
}

// ---- where it goes ----

interface Target {
  service: ServiceRow;
  folder: string;
  file: string;
}

async function findTarget({ services }: PackageParts, storage: unknown): Promise<Target> {
  const given = isRecord(storage) ? storage : { name: storage };
  const first = (...names: string[]): string => names.map((name) => stringifyInput(given[name])).find(Boolean) ?? '';
  const name = first('name', 'id') || 'files';
  const rows = await services().rows();
  const service = rows.find(({ key }) => key === name.toLowerCase()) ?? rows.find(({ id }) => String(id) === name);
  if (!service?.isActive || !services().type(service.type)?.can.files)
    throw fail('package.storageMissing', { service: name.slice(0, 100) });
  const folder = (first('folder', 'path') || '__EXPORTS').replace(/^\/+|\/+$/g, '');
  const moment = new Date().toISOString();
  const date = `${moment.slice(0, 10)}_${moment.slice(11, 19).replaceAll(':', '.')}`;
  const file = first('filename', 'file') || `${os.hostname()}_${date}`;
  return { service, folder, file: file.includes('zip') ? file : `${file}.zip` };
}

async function save(
  parts: PackageParts,
  call: Call,
  { service, folder, file }: Target,
  content: Readable,
): Promise<Reply> {
  const path = folder === '' ? file : `${folder}/${file}`;
  try {
    if (folder !== '') await makeFolder(parts, call, service.name, folder);
    await callAt(parts, call, 'POST', [service.name, path], {
      payload: content,
      headers: { 'content-type': 'application/zip' },
    });
  } catch (error) {
    if (!(error instanceof Failure) || isRefusal(error) || error.key === 'file.badPath') throw error;
    const named = { service: service.name, text: error.message };
    throw fail('package.notSaved', named, { cause: error, ...(error.status > 500 ? { status: error.status } : {}) });
  } finally {
    content.destroy();
  }
  const publicPaths = Array.isArray(service.config.public_path) ? service.config.public_path : [];
  const isPublic = publicPaths.some((entry) => String(entry).replace(/^\/+|\/+$/g, '') === folder);
  const address = [service.name, ...path.split('/')].map(encodeURIComponent).join('/');
  return answer({ success: true, path: `${call.baseUrl}/api/v2/${address}`, is_public: isPublic });
}

/** Makes a folder where there is none. */
export async function makeFolder(parts: PackageParts, call: Call, service: string, folder: string): Promise<void> {
  try {
    await callAt(parts, call, 'POST', [service, `${folder}/`]);
  } catch (error) {
    if (!(error instanceof Failure && error.key === 'file.folderExists')) throw error;
  }
}
