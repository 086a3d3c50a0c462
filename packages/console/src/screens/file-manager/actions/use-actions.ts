import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useState } from 'react';
import {
  type FileItem,
  freeName,
  isPublic,
  isWithin,
  parentOf,
  readItems,
  refreshService,
} from '../../../files/index.ts';
import { formatNumber, text } from '../../../text/index.ts';
import { confirm, describeError, notify } from '../../../ui/index.ts';
import { deleteItems, type ItemFailure, makeMissingFolder, transferItems } from './calls.ts';
import { downloadItem, downloadItems } from './download.ts';

/** What could not be done, until it is tried again or dismissed. */
export interface Problem {
  /** "2 of 5 could not be moved." */
  title: string;
  lines: { name: string; message: string }[];
  retry: () => void;
  /** Does the rest under names that are free; absent where no name was taken. */
  keepBoth?: (() => void) | undefined;
}

/** Work that takes its time. */
export interface Busy {
  label: string;
  done: number;
  total: number;
  stop: () => void;
}

type Verb = 'move' | 'copy' | 'delete' | 'download';

/** How long counting what a deletion loses may take, in milliseconds, and a folder with so many files is deleted by its name. */
const countPatience = 4_000;
const manyFiles = 50;

export type FileActions = ReturnType<typeof useFileActions>;

/** What one can do with files and folders of a service; what fails is kept, to be tried again. */
export function useFileActions(service: string, publicPaths: readonly string[], sizeText: (bytes: number) => string) {
  const client = useQueryClient();
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState<Busy | null>(null);
  const isBusy = useRef(false);

  /** Runs a list of items; what fails can be tried again with what is left. */
  const run = useCallback(
    async (
      verb: Verb,
      items: readonly FileItem[],
      work: (
        items: readonly FileItem[],
        progress: { signal: AbortSignal; onDone: (count: number) => void },
      ) => Promise<ItemFailure[]>,
      keepBoth?: (items: readonly FileItem[]) => void,
    ): Promise<boolean> => {
      // One at a time: a second one would begin on what the first is about to move.
      if (isBusy.current || items.length === 0) return false;
      isBusy.current = true;
      setProblem(null);
      const controller = new AbortController();
      const total = items.length;
      const show = (done: number) =>
        setBusy({ label: text(`files:doing.${verb}`), done, total, stop: () => controller.abort() });
      // Short work is done before one could read of it.
      const timer = setTimeout(() => show(0), 300);
      let done = 0;
      const fail = (failures: readonly ItemFailure[] | null, error?: unknown) => {
        const left = failures ? failures.map(({ item }) => item) : items.slice(done);
        const taken = failures?.filter(({ isTaken }) => isTaken).map(({ item }) => item) ?? [];
        setProblem({
          title: text(`files:failed.${verb}`, { count: left.length, total: formatNumber(total) }),
          lines: failures
            ? failures.map(({ item, message }) => ({ name: item.name, message }))
            : describeError(error).messages.map((message) => ({ name: '', message })),
          retry: () => void run(verb, left, work, keepBoth),
          keepBoth: keepBoth && taken.length > 0 ? () => keepBoth(taken) : undefined,
        });
      };
      try {
        const failures = await work(items, {
          signal: controller.signal,
          onDone: (count) => {
            done = count;
            if (total > count) show(count);
          },
        });
        if (failures.length > 0) fail(failures);
        else notify.success(text(`files:done.${verb}`, { count: total }));
        return failures.length === 0;
      } catch (error) {
        if (!controller.signal.aborted) fail(null, error);
        return false;
      } finally {
        clearTimeout(timer);
        isBusy.current = false;
        setBusy(null);
        if (verb !== 'download') await refreshService(client, service);
      }
    },
    [client, service],
  );

  const transfer = useCallback(
    (items: readonly FileItem[], folder: string, isMove: boolean): Promise<boolean> => {
      const withFreeNames = (taken: readonly FileItem[]) =>
        void run(isMove ? 'move' : 'copy', taken, async (left, progress) => {
          const inFolder = await readItems(service, folder, {}, progress.signal);
          const names = new Set(inFolder.map(({ name }) => name));
          const chosen = new Map<FileItem, string>();
          for (const item of left) {
            const name = freeName(item.name, names);
            names.add(name);
            chosen.set(item, name);
          }
          return transferItems(service, left, folder, {
            isMove,
            ...progress,
            nameFor: (item) => chosen.get(item) ?? item.name,
          });
        });
      // A copy beside the original has another name from the first.
      if (!isMove && items.every(({ path }) => parentOf(path) === folder)) {
        withFreeNames(items);
        return Promise.resolve(true);
      }
      return run(
        isMove ? 'move' : 'copy',
        items.filter(({ path }) => !isMove || parentOf(path) !== folder),
        (left, progress) => transferItems(service, left, folder, { isMove, ...progress }),
        withFreeNames,
      );
    },
    [run, service],
  );

  /** Asks with what is lost, then deletes. */
  const remove = useCallback(
    async (items: readonly FileItem[], folder: string): Promise<boolean> => {
      const [only] = items;
      if (!only) return false;
      const loss = await countLoss(service, items);
      const shared = publicPaths.filter((listed) =>
        items.some(({ path }) => isWithin(listed.replace(/^\/|\/$/g, ''), path)),
      );
      const isOpen = items.some(({ path }) => isPublic(path, publicPaths)) || shared.length > 0;
      const isSure = await confirm({
        message:
          items.length === 1
            ? text(only.isFolder ? 'files:delete.folder' : 'files:delete.file', { name: only.name })
            : text('files:delete.several', { count: items.length }),
        impact: [
          loss === null
            ? text('files:delete.uncounted')
            : loss.folders === 0 && loss.files === items.length
              ? text('files:delete.bytes', { size: sizeText(loss.bytes) })
              : text('files:delete.content', {
                  count: loss.files,
                  files: formatNumber(loss.files),
                  folders: text('files:folders', { count: loss.folders, folders: formatNumber(loss.folders) }),
                  size: sizeText(loss.bytes),
                }),
          isOpen ? text('files:delete.public') : '',
          text('files:delete.forGood'),
        ]
          .filter(Boolean)
          .join('\n'),
        danger: true,
        ...(items.length === 1 && only.isFolder && (loss === null || loss.files >= manyFiles)
          ? { typeToConfirm: only.name }
          : {}),
      });
      if (!isSure) return false;
      return run('delete', items, (left, progress) => deleteItems(service, folder, left, progress));
    },
    [run, service, publicPaths, sizeText],
  );

  /** Several are downloaded one after the other: the API packs folders, not selections. */
  const download = useCallback(
    async (items: readonly FileItem[], folder: string): Promise<void> => {
      await run('download', items, async (left, { signal }) => {
        const [only] = left;
        if (only && left.length === 1) await downloadItem(service, only, signal);
        else await downloadItems(service, folder, left, signal);
        return [];
      });
    },
    [run, service],
  );

  return {
    problem,
    download,
    dismiss: () => setProblem(null),
    busy,
    transfer,
    remove,
    makeFolders: useCallback(
      async (folders: readonly string[]) => {
        for (const folder of folders) await makeMissingFolder(service, folder);
        await refreshService(client, service);
      },
      [client, service],
    ),
    refresh: useCallback(() => refreshService(client, service), [client, service]),
  };
}

interface Loss {
  files: number;
  folders: number;
  bytes: number;
}

/** What goes with some items: all that is below the folders. Null where it could not be counted in time. */
async function countLoss(service: string, items: readonly FileItem[]): Promise<Loss | null> {
  const loss: Loss = { files: 0, folders: 0, bytes: 0 };
  const count = (item: FileItem) => {
    if (item.isFolder) loss.folders += 1;
    else loss.files += 1;
    loss.bytes += item.size ?? 0;
  };
  const signal = AbortSignal.timeout(countPatience);
  try {
    for (const item of items) {
      count(item);
      if (!item.isFolder) continue;
      const query = { full_tree: true, fields: 'path,type,content_length' };
      for (const below of await readItems(service, item.path, query, signal)) count(below);
    }
    return loss;
  } catch {
    return null;
  }
}
