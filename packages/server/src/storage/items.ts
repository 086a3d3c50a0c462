// Lists of files and folders in the body of a call: each item is done for itself, and its failure is in the item.
import { batchLimit, Failure, fail } from '@sluice/contract';
import { pause } from '@sluice/sql';
import { isRecord } from '../call/payload.ts';
import { childPath, folderPath, nameOf, parsePath } from './path.ts';

export interface PathItem {
  type?: unknown;
  name?: unknown;
  path?: unknown;
  [field: string]: unknown;
}

/** The items of a body; undefined where it has none. */
export function itemsOf(body: unknown): PathItem[] | undefined {
  const list = isRecord(body) ? body.resource : body;
  if (isRecord(list)) return [list];
  if (!Array.isArray(list) || list.length === 0) return undefined;
  if (list.length > batchLimit) throw fail('file.tooManyItems', { limit: batchLimit });
  return list.map((item) => (isRecord(item) ? item : { path: item }));
}

/** What an item names: its path in the container, or else its name in the folder called. */
export function itemPath(folder: string, item: PathItem): { path: string; type: 'file' | 'folder' } {
  const { path: pathText, name, type } = item;
  if (typeof pathText === 'string' && pathText !== '') {
    const { path, isFolder } = parsePath(pathText);
    if (path === '') throw fail('file.emptyPath');
    return { path, type: type === 'folder' || isFolder ? 'folder' : 'file' };
  }
  if (typeof name !== 'string' || name === '') throw fail('file.noName');
  return {
    path: childPath(folder, name.replace(/\/$/, '')),
    type: type === 'folder' || name.endsWith('/') ? 'folder' : 'file',
  };
}

/** Does each item in order; a failure of the catalogue becomes the error of its item. */
export async function forItems(
  items: PathItem[],
  run: (item: PathItem) => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>[]> {
  const results: Record<string, unknown>[] = [];
  for (const item of items) {
    await pause();
    try {
      results.push(await run(item));
    } catch (error) {
      if (!(error instanceof Failure) || error.status >= 500) throw error;
      results.push({ ...shownItem(item), error: { message: error.message } });
    }
  }
  return results;
}

/** An item that failed, as it was sent. */
function shownItem({ name, path, type }: PathItem): Record<string, unknown> {
  const text = typeof path === 'string' ? path : typeof name === 'string' ? name : '';
  const isFolder = type === 'folder' || text.endsWith('/');
  const plain = text.replace(/\/$/, '');
  return { name: nameOf(plain), path: isFolder ? folderPath(plain) : plain, type: isFolder ? 'folder' : 'file' };
}
