// What a package holds, read and checked whole before anything of it is used (contract/packages.md §3).
import type { FileHandle } from 'node:fs/promises';
import { Failure, fail } from '@sluice/contract';
import type { Call } from '../../call/call.ts';
import { parseJson } from '../../call/formats/json.ts';
import { isRecord, type RecordInput } from '../../call/payload.ts';
import { withTemporaryFile } from '../../storage/temporary-file.ts';
import { readZip, type ZipFile } from '../../storage/unzip.ts';
import { md5 } from './export.ts';
import type { PackageParts } from './inside.ts';
import { kindOf, maxJson, type PackageKind, packageVersion } from './kinds.ts';
import { temporaryFolder } from './temporary.ts';

export interface PackageTable {
  name: string;
  records: RecordInput[];
}

/** Something of a file service. */
export interface PackageFile {
  /** As the manifest names it. */
  path: string;
  isFolder: boolean;
  content: ZipFile;
}

/** What a package has for a service that is not `system`. */
export interface ServiceContent {
  service: string;
  schema: RecordInput[];
  tables: PackageTable[];
  files: PackageFile[];
}

export interface PackageContent {
  /** By resource, in no order. */
  system: ReadonlyMap<string, { kind: PackageKind; records: RecordInput[] }>;
  services: ServiceContent[];
  /** What is in it and cannot be imported. */
  warnings: string[];
}

const manifestName = 'package.json';
/** Milliseconds that the reading of one package may take. */
export const readTime = 10 * 60_000;
/** Records of one list. */
export const maxRecords = 100_000;

/** Reads a package. Throws `package.*` and `file.*` of what is wrong with it. */
export async function readPackage(
  parts: PackageParts,
  call: Call,
  file: FileHandle,
  password: string | undefined,
): Promise<PackageContent> {
  const limit = parts.settings.uploadLimit;
  const signal = AbortSignal.any([call.signal, AbortSignal.timeout(readTime)]);
  const zip = await readZip(file, {
    ...{ folder: '', limit, signal },
    secured: {
      password,
      first: manifestName,
      refusal: (path) =>
        path === manifestName || !password ? fail('package.manifestUnread') : fail('package.wrongPassword'),
    },
  }).catch((error: unknown) => {
    throw error instanceof Failure && error.key === 'file.notZip' ? fail('package.notZip') : error;
  });
  const files = new Map(zip.files.map((entry) => [entry.path, entry]));
  const manifest = await readManifest(files);
  const content = await readServices(manifest, files);
  await checkInnerZips(content.services, { folder: temporaryFolder(parts.settings), limit, signal });
  return content;
}

async function readManifest(files: Files): Promise<RecordInput> {
  const entry = files.get(manifestName);
  if (!entry) throw fail('package.manifestUnread');
  const manifest = await readJson(entry);
  if (!isRecord(manifest) || !manifest.version || !manifest.df_version) throw fail('package.invalid');
  const version = String(manifest.version);
  if (isNewer(version)) throw fail('package.newer', { version: version.slice(0, 20), known: packageVersion });
  const { service } = manifest;
  if (!isRecord(service) || Object.keys(service).length === 0) throw fail('package.empty');
  return service;
}

function isNewer(version: string): boolean {
  const [given, known] = [version, packageVersion].map((text) => text.split('.').map((part) => Number(part) || 0));
  const at = [0, 1, 2].find((index) => (given?.[index] ?? 0) !== (known?.[index] ?? 0));
  return at !== undefined && (given?.[at] ?? 0) > (known?.[at] ?? 0);
}

type Files = ReadonlyMap<string, ZipFile>;

async function readServices(manifest: RecordInput, files: Files): Promise<PackageContent> {
  const system = new Map<string, { kind: PackageKind; records: RecordInput[] }>();
  const services: ServiceContent[] = [];
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(manifest)) {
    const isSystem = name.toLowerCase() === 'system';
    const content: ServiceContent = { service: name, schema: [], tables: [], files: [] };
    if (Array.isArray(value) || typeof value === 'string') {
      for (const path of typeof value === 'string' ? value.split(',') : value) {
        const found = findFile(name, String(path), files);
        if (found) content.files.push(found);
        else warnings.push(`Skipping storage resource ${name}/${path}. It is not in the package.`);
      }
    } else {
      for (const resource of Object.keys(isRecord(value) ? value : {})) {
        const kind = isSystem ? kindOf(resource) : undefined;
        const entry = files.get(`${name}/${resource}.json`);
        if (resource === 'reachable') continue;
        if (isSystem ? !kind : resource !== '_schema' && resource !== '_table')
          warnings.push(`Skipping resource ${resource}. Not supported.`);
        else if (!entry) warnings.push(`Skipping resource ${name}/${resource}. It is not in the package.`);
        else {
          const records = await readRecords(entry);
          if (kind) system.set(kind.resource, { kind, records });
          else if (resource === '_schema') content.schema = records;
          else content.tables = records.map((table) => readTable(table, entry.path));
        }
      }
    }
    if (!isSystem) services.push(content);
  }
  return { system, services, warnings };
}

export function readTable({ name, record }: RecordInput, path: string): PackageTable {
  const records = record ?? [];
  if (typeof name !== 'string' || name === '' || !Array.isArray(records) || !records.every(isRecord))
    throw fail('package.badPart', { path });
  return { name, records };
}

/** What of the archive a path of the manifest means: a file, or a folder as a zip of its own. */
function findFile(service: string, path: string, files: Files): PackageFile | undefined {
  const file = path.endsWith('/') || path === '' ? undefined : files.get(`${service}/${path}`);
  if (file) return { path, isFolder: false, content: file };
  const place = path.replace(/\/*$/, '/').replace(/^\//, '');
  const zip = files.get(`${service}/${place}${md5(path)}.zip`);
  return zip && { path, isFolder: true, content: zip };
}

async function readRecords(entry: ZipFile): Promise<RecordInput[]> {
  const value = await readJson(entry);
  if (!Array.isArray(value) || value.length > maxRecords || !value.every(isRecord))
    throw fail('package.badPart', { path: entry.path });
  return value;
}

export async function readJson(entry: ZipFile): Promise<unknown> {
  if (entry.size > maxJson) throw fail('package.partTooLarge', { path: entry.path, limit: maxJson });
  const chunks: Buffer[] = [];
  for await (const chunk of entry.open()) chunks.push(chunk as Buffer);
  try {
    return parseJson(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw error instanceof Failure ? fail('package.badPart', { path: entry.path }, { cause: error }) : error;
  }
}

/** The zips of folders together have the bound of the whole: each is small, and there may be thousands. */
async function checkInnerZips(
  services: ServiceContent[],
  { folder, limit, signal }: { folder: string; limit: number; signal: AbortSignal },
): Promise<void> {
  let left = limit;
  for (const { files } of services)
    for (const { isFolder, content } of files) {
      if (!isFolder) continue;
      left -= await withTemporaryFile(folder, content.open(), async (file) => {
        const { size } = await readZip(file, { folder: '', limit: left, signal });
        return size;
      });
    }
}
