// Where the files of an app are to be: which service and folder, and whether they may be written there.
import { appType, defaultAppStorageType, fail } from '@sluice/contract';
import type { Call } from '../../../call/call.ts';
import { type RecordInput, stringifyInput } from '../../../call/payload.ts';
import type { ServiceRow } from '../../../service/registry.ts';
import {
  authorizePath,
  checkTargets,
  joinPath,
  openStorage,
  parentOf,
  parsePath,
  type Storage,
} from '../../../storage/index.ts';
import type { ZipContent } from '../../../storage/unzip.ts';
import { authorizeAt, type PackageParts } from '../inside.ts';

/** Where an app with files of its own has them. */
export interface AppPlace {
  service: ServiceRow;
  folder: string;
}

/** What will be written, all of it new. */
export interface AppFiles {
  service: ServiceRow;
  storage: Storage;
  folders: string[];
  files: ZipContent['files'];
}

/** The place that a call chose for the files of an app; undefined for apps without any. */
export async function findPlace(
  { services }: PackageParts,
  app: RecordInput,
  fields: RecordInput,
): Promise<AppPlace | undefined> {
  if (Number(app.type) !== appType.storage) return undefined;
  const rows = await services().rows();
  const id = stringifyInput(fields.storage_service_id).trim();
  const isDefault = id === '' || id === '0';
  const isMeant = (row: ServiceRow) => (isDefault ? row.type === defaultAppStorageType : String(row.id) === id);
  const service = rows.find((row) => row.isActive && isMeant(row));
  if (!service || !services().type(service.type)?.can.files) throw fail('app.badStorage');
  const container = stringifyInput(fields.storage_container).replace(/^\/+|\/+$/g, '');
  return { service, folder: parsePath(`${container || folderNamed(stringifyInput(app.name))}/`).path };
}

/** `my first-app` → `MyFirstApp` */
const folderNamed = (name: string): string =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('') || 'App';

/** Says what is to be written. Throws where the caller may not, or something is there already. */
export async function prepareFiles(
  parts: PackageParts,
  call: Call,
  { service, folder }: AppPlace,
  content: Pick<ZipContent, 'folders' | 'files'>,
): Promise<AppFiles> {
  const within = (path: string) => parsePath(joinPath(folder, path)).path;
  const above: string[] = [];
  for (let path = folder; path !== ''; path = parentOf(path)) above.unshift(path);
  const folders = [...above, ...content.folders.map(within)];
  const files = content.files.map((file) => ({ ...file, path: within(file.path) }));
  await authorizeAt(parts, call, 'POST', [service.name, `${folder}/`]);
  const pathCall = { caller: call.caller, service: service.key };
  for (const { path } of files) authorizePath(pathCall, 'POST', path);
  const storage = (await parts.services().openById(service.id)).provided(openStorage);
  if (!storage) throw fail('app.badStorage');
  const missing = await checkTargets(storage, { folders, files, size: 0 }, true);
  for (const path of missing) authorizePath(pathCall, 'POST', path);
  return { service, storage, folders: [...missing], files };
}
