// `GET system/app/{id}?pkg=true`: an app as a package (contract/packages.md §5). All that goes into it besides the content of files is
// read before the first byte is sent, each by an ordinary call of the caller.
import { Readable } from 'node:stream';
import { type app as appDefinition, appType, Failure, fail, splitNames, truthy } from '@sluice/contract';
import { pause } from '@sluice/sql';
import { openArchive } from '../../../archive/index.ts';
import type { Call, Reply } from '../../../call/call.ts';
import { contentDisposition } from '../../../call/content-disposition.ts';
import { parseJson } from '../../../call/formats/json.ts';
import { isRecord, type RecordInput, stringifyInput } from '../../../call/payload.ts';
import { authorizePath, openStorage, parentOf, parsePath, type Storage } from '../../../storage/index.ts';
import { identifiersOf, jsonText, readKindRecords, requireItem } from '../export.ts';
import { isMissing, type PackageParts, recordsAt, valueAt } from '../inside.ts';
import { kindOf, type PackageKind } from '../kinds.ts';
import { partNames } from './content.ts';

/** Files and folders of one app, as many as a package may have. */
const maxEntries = 10_000;
/** Tables of one package. */
const maxTables = 1_000;

export async function exportAppPackage(parts: PackageParts, call: Call, id: string): Promise<Reply> {
  const { query } = call;
  const app = await readApp(parts, call, id);
  const texts = new Map<string, string>([[partNames.description, jsonText(partNames.description, describe(app))]]);
  const services = splitNames(query.get('service') ?? '');
  if (services.length > 0) {
    const kind = kindOf('service') as PackageKind;
    const items = services.map((item) => (/^\d+$/.test(item) ? Number(item) : item));
    const records = await readKindRecords(parts, call, kind, await identifiersOf(parts, call, kind, items));
    texts.set(partNames.services, jsonText(partNames.services, records));
  }
  const named = readSchemaParameter(query.get('schema'));
  if (named.length > 0) {
    const { schema, data } = await readTables(parts, call, named, truthy(query.get('include_data')));
    texts.set(partNames.schema, jsonText(partNames.schema, { service: schema }));
    if (data.length > 0) texts.set(partNames.data, jsonText(partNames.data, { service: data }));
  }
  const files = truthy(query.get('include_files')) ? await listFiles(parts, call, app) : undefined;
  const open = () =>
    openArchive(async (archive) => {
      for (const [path, text] of texts) await archive.add(path, Readable.from([Buffer.from(text)]));
      for (const { name, path } of files?.entries ?? [])
        if (path === undefined) await archive.addFolder(name);
        else await archive.add(name, await (files as AppFiles).storage.read(path));
    });
  const headers = { 'Content-Disposition': contentDisposition(`${stringifyInput(app.name)}.dfpkg`) };
  return { headers, body: { open, type: 'application/zip' } };
}

async function readApp(parts: PackageParts, call: Call, id: string): Promise<RecordInput> {
  try {
    return (await valueAt(parts, call, 'GET', ['system', `app/${id}`], { query: { fields: '*' } })) as RecordInput;
  } catch (error) {
    throw isMissing(error) ? fail('app.unknown', { id: id.slice(0, 100) }, { cause: error }) : error;
  }
}

const describedFields = [
  ...['id', 'name', 'description', 'is_active', 'type', 'path', 'url'],
  ...['requires_fullscreen', 'allow_fullscreen_toggle', 'toggle_location'],
] as const satisfies readonly (keyof typeof appDefinition.fields)[];

const describe = (app: RecordInput): RecordInput =>
  Object.fromEntries(describedFields.map((name) => [name, app[name] ?? null]));

// ---- tables ----

/** The tables that the parameter names, by service. */
function readSchemaParameter(text: string | undefined): { service: string; tables: string[] }[] {
  if (!text) return [];
  const refusal = (cause?: unknown) => fail('app.badSchemaParameter', undefined, { cause });
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw error instanceof Failure ? refusal(error) : error;
  }
  if (!isRecord(value)) throw refusal();
  const named = Object.entries(value).map(([service, tables]) => {
    if (!Array.isArray(tables) || !tables.every((table) => typeof table === 'string')) throw refusal();
    return { service, tables: [...new Set<string>(tables)] };
  });
  if (named.reduce((sum, { tables }) => sum + tables.length, 0) > maxTables)
    throw fail('record.batchTooLarge', { limit: maxTables });
  return named.filter(({ tables }) => tables.length > 0);
}

interface NamedTables {
  name: string;
  table: RecordInput[];
}

async function readTables(
  parts: PackageParts,
  call: Call,
  named: { service: string; tables: string[] }[],
  includesData: boolean,
): Promise<{ schema: NamedTables[]; data: NamedTables[] }> {
  const schema: NamedTables[] = [];
  const data: NamedTables[] = [];
  for (const { service, tables } of named) {
    const descriptions: RecordInput[] = [];
    const records: RecordInput[] = [];
    for (const name of tables) {
      await pause();
      const description = (await requireItem(`${service}/_schema/${name}`, () =>
        valueAt(parts, call, 'GET', [service, `_schema/${name}`]),
      )) as RecordInput;
      descriptions.push(description);
      if (!includesData) continue;
      const shown = stringifyInput(description.alias) || name;
      records.push({ name: shown, record: await recordsAt(parts, call, [service, `_table/${shown}`]) });
    }
    schema.push({ name: service, table: descriptions });
    if (includesData) data.push({ name: service, table: records });
  }
  return { schema, data };
}

// ---- files ----

interface AppFiles {
  storage: Storage;
  /** By their names in the package; folders without a path. */
  entries: { name: string; path?: string }[];
}

/** The files of an app in its folder, or in that of its start page where it has none of its own. */
async function listFiles(parts: PackageParts, call: Call, app: RecordInput): Promise<AppFiles | undefined> {
  if (app.type !== appType.storage) return undefined;
  const row = (await parts.services().rows()).find(({ id }) => id === app.storage_service_id);
  if (!row?.isActive || !parts.services().type(row.type)?.can.files) throw fail('app.badStorage');
  const storage = (await parts.services().openById(row.id)).provided(openStorage);
  if (!storage) throw fail('app.badStorage');
  const trimmed = (value: unknown) => stringifyInput(value).replace(/^\/+|\/+$/g, '');
  const container = trimmed(app.storage_container);
  const root = container === '' ? '' : parsePath(`${container}/`).path;
  const folder = root || parsePath(`${parentOf(trimmed(app.path))}/`.replace(/^\/$/, '')).path;
  const pathCall = { caller: call.caller, service: row.key };
  authorizePath(pathCall, 'GET', folder);
  const start = root === '' ? 0 : root.length + 1;
  const entries: AppFiles['entries'] = [];
  let size = 0;
  const add = (entry: AppFiles['entries'][number], bytes = 0) => {
    entries.push(entry);
    size += bytes;
    const { uploadLimit } = parts.settings;
    if (entries.length > maxEntries || size > uploadLimit) throw fail('package.tooLarge', { limit: uploadLimit });
  };
  for await (const { path, type, size: bytes } of storage.list(folder, { isRecursive: true })) {
    await pause();
    const name = path.slice(start);
    if (type === 'folder') {
      add({ name });
      continue;
    }
    authorizePath(pathCall, 'GET', path);
    if (reserved.has(name.normalize('NFC').toLowerCase())) throw fail('app.fileReserved', { path: name });
    add({ name, path }, bytes ?? 0);
  }
  return { storage, entries };
}

/** As a storage may take them for one. */
const reserved = new Set<string>(Object.values(partNames));
