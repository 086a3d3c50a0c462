// The files of an app, which go with it when that is asked for (contract/system-resources.md §4).
import { appType, Failure, fail } from '@sluice/contract';
import type { Caller } from '../../call/call.ts';
import type { StoredRow } from '../../resource/resource.ts';
import type { Services } from '../../service/registry.ts';
import { deleteTree, openStorage, parentOf, parsePath } from '../../storage/index.ts';
import type { Db } from '../../store/index.ts';

export interface AppFileParts {
  services: () => Pick<Services, 'openById' | 'rows'>;
}

/**
 * Deletes the folder of an app that is gone. It stays where another app has files in it, and where the app had no folder of
 * its own: all of a service goes with no app.
 */
export async function deleteAppFiles(
  { services }: AppFileParts,
  app: StoredRow,
  caller: Caller,
  db: Db,
): Promise<void> {
  const id = app.storage_service_id;
  if (app.type !== appType.storage || typeof id !== 'number') return;
  const folder = folderOf(app);
  if (folder === '' || (await sharesFolder(folder, id, db))) return;
  const service = (await services().rows()).find((row) => row.id === id)?.key ?? '';
  try {
    const storage = (await services().openById(id)).provided(openStorage);
    if (storage) await deleteTree({ caller, service }, storage, parsePath(`${folder}/`).path, { force: true });
  } catch (error) {
    const text = error instanceof Failure ? error.message : 'the storage failed';
    throw fail('app.filesKept', { app: String(app.name), place: `${service}/${folder}`, text }, { cause: error });
  }
}

const trimSlashes = (text: unknown): string => String(text ?? '').replace(/^\/+|\/+$/g, '');
const folderOf = (app: StoredRow): string => trimSlashes(app.storage_container);

/** Whether another app has its files in the folder, in one above it or in one below. */
async function sharesFolder(folder: string, service: number, db: Db): Promise<boolean> {
  const apps = await db
    .selectFrom('app')
    .select(['storage_container', 'path'])
    .where('storage_service_id', '=', service)
    .where('type', '=', appType.storage)
    .execute();
  const isWithin = (path: string, parent: string) => `${path}/`.startsWith(`${parent}/`);
  return apps.some((app) => {
    const other = folderOf(app) || parentOf(trimSlashes(app.path));
    return other !== '' && (isWithin(folder, other) || isWithin(other, folder));
  });
}
