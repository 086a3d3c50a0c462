// What an app package holds, read and checked whole before anything of it is used (contract/packages.md §5).
import type { FileHandle } from 'node:fs/promises';
import { appType, Failure, fail } from '@sluice/contract';
import type { Call } from '../../../call/call.ts';
import { isRecord, type RecordInput, stringifyInput } from '../../../call/payload.ts';
import { readZip, type ZipContent, type ZipFile } from '../../../storage/unzip.ts';
import { maxRecords, type PackageTable, readJson, readTable, readTime } from '../content.ts';
import type { PackageParts } from '../inside.ts';

export interface AppContent {
  /** description.json, as it is. */
  description: RecordInput;
  /** The fields of the app that a package may say. */
  app: RecordInput;
  services: RecordInput[];
  schema: { service: string; tables: RecordInput[] }[];
  data: { service: string; tables: PackageTable[] }[];
  /** Below the folder of the app. */
  files: Pick<ZipContent, 'folders' | 'files'>;
}

/** The parts of a package besides the app's files. */
export const partNames = {
  description: 'description.json',
  services: 'services.json',
  schema: 'schema.json',
  data: 'data.json',
} as const;
const olderDescription = 'app.json';

/** Reads a package. Throws `app.*`, `package.*` and `file.*` of what is wrong with it. */
export async function readAppPackage(
  { settings: { uploadLimit: limit } }: PackageParts,
  call: Call,
  file: FileHandle,
): Promise<AppContent> {
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(readTime)]);
  const { folders, files } = await readZip(file, { folder: '', limit, signal }).catch((error: unknown) => {
    throw error instanceof Failure && error.key === 'file.notZip'
      ? fail('app.packageUnopened', undefined, { cause: error })
      : error;
  });
  const entries = new Map(files.map((entry) => [entry.path, entry]));
  const description = entries.get(partNames.description) ?? entries.get(olderDescription);
  if (!description) throw fail('app.noDescription');
  const parts = new Set<string>([description.path, ...Object.values(partNames)]);
  const record = await readJson(description);
  if (!isRecord(record)) throw fail('package.badPart', { path: description.path });
  return {
    description: record,
    app: readApp(record),
    services: await readServices(entries.get(partNames.services)),
    schema: await readSchema(entries.get(partNames.schema)),
    data: await readData(entries.get(partNames.data)),
    files: { folders, files: files.filter(({ path }) => !parts.has(path)) },
  };
}

function readApp(description: RecordInput): RecordInput {
  const text = (value: unknown): string => stringifyInput(value).trim();
  const name = description.name ?? description.api_name;
  if (text(name) === '') throw fail('app.nameless');
  const type = description.type ?? appType.none;
  const number = Number(type);
  if ((number === appType.storage || number === appType.path) && text(description.path) === '')
    throw fail('app.pathless');
  if (number === appType.url && text(description.url) === '') throw fail('app.urlless');
  const app = {
    ...{ name, description: description.description, type, path: description.path, url: description.url },
    is_active: description.is_active ?? description.active ?? true,
    requires_fullscreen: description.requires_fullscreen,
    allow_fullscreen_toggle: description.allow_fullscreen_toggle,
    toggle_location: description.toggle_location,
  };
  return Object.fromEntries(Object.entries(app).filter(([, value]) => value !== undefined));
}

async function readServices(entry: ZipFile | undefined): Promise<RecordInput[]> {
  return entry ? recordsIn(await readJson(entry), entry) : [];
}

function recordsIn(value: unknown, { path }: ZipFile): RecordInput[] {
  if (!Array.isArray(value) || value.length > maxRecords || !value.every(isRecord))
    throw fail('package.badPart', { path });
  return value;
}

/** The services that `schema.json` and `data.json` name, each with what it has to have. */
async function readParts(
  entry: ZipFile,
  missing: 'app.schemaEmpty' | 'app.dataEmpty',
): Promise<{ service: string; tables: RecordInput[] }[]> {
  const value = await readJson(entry);
  if (!isRecord(value)) throw fail('package.badPart', { path: entry.path });
  if (!Array.isArray(value.service) || value.service.length === 0) throw fail(missing);
  return recordsIn(value.service, entry).map(({ name, table }) => {
    if (typeof name !== 'string' || name === '' || !Array.isArray(table)) throw fail(missing);
    return { service: name, tables: recordsIn(table, entry) };
  });
}

async function readSchema(entry: ZipFile | undefined): Promise<AppContent['schema']> {
  if (!entry) return [];
  const parts = await readParts(entry, 'app.schemaEmpty');
  for (const { tables } of parts)
    if (!tables.every(({ name }) => typeof name === 'string' && name !== ''))
      throw fail('package.badPart', { path: entry.path });
  return parts;
}

async function readData(entry: ZipFile | undefined): Promise<AppContent['data']> {
  if (!entry) return [];
  const parts = await readParts(entry, 'app.dataEmpty');
  return parts.map(({ service, tables }) => ({
    service,
    tables: tables.map((table) => readTable(table, entry.path)),
  }));
}
