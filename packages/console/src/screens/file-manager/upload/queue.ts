// The queue of uploads: three at once, each with its progress, to be stopped and tried again. It outlives the screen, so that one
// can go on with other things meanwhile. What it needs of the instance is handed in.
import { ApiError } from '../../../api/index.ts';
import { freeName, joinPath, nameOf, parentOf } from '../../../files/index.ts';
import { createStore, type Store } from '../../../ui/index.ts';

/** How many files are sent at once. */
const atOnce = 3;
/** Progress is shown so often, in milliseconds: each event alone would draw the list again. */
const drawEvery = 150;

export type UploadState = 'waiting' | 'sending' | 'done' | 'failed' | 'exists' | 'cancelled';

export interface Upload {
  id: number;
  service: string;
  /** The path it is stored at. */
  path: string;
  /** Folders below which those of `path` are made where they are missing. */
  folder: string;
  file: File;
  state: UploadState;
  sent: number;
  error: unknown;
  /** Whether a file of that name is replaced. */
  replaces: boolean;
}

export interface UploadQueue {
  uploads: readonly Upload[];
  /** The line dropped: what is not done waits until someone resumes it. */
  isInterrupted: boolean;
}

/** A file and where it goes, relative to the folder it is dropped on. */
export interface NewUpload {
  file: File;
  path: string;
}

interface QueueParts {
  send: (upload: Upload, options: { signal: AbortSignal; onProgress: (sent: number) => void }) => Promise<unknown>;
  /** Makes a folder with those it lies in; one that is there already is as good. */
  makeFolder: (service: string, folder: string) => Promise<void>;
  /** Names in a folder, for a name beside them. */
  namesIn: (service: string, folder: string) => Promise<string[]>;
  onStored: (upload: Upload) => void;
  /** Nothing is under way any more. */
  onSettled: (uploads: readonly Upload[]) => void;
}

export type Uploads = ReturnType<typeof createUploads>;

const isOpen = ({ state }: Upload) => state === 'waiting' || state === 'sending';
/** Ended without being stored, and can be tried again. */
const isUnfinished = ({ state }: Upload) => state === 'failed' || state === 'exists' || state === 'cancelled';

/** The file is there already, in the words of the contract (files.md §3). */
const isTaken = (error: unknown) =>
  error instanceof ApiError && error.status === 400 && /^File '.*' already exists\.$/s.test(error.original);

export function createUploads(parts: QueueParts) {
  const queue: Store<UploadQueue> = createStore<UploadQueue>({ uploads: [], isInterrupted: false });
  const running = new Map<number, AbortController>();
  /** Folders that are being made or are there, by service and path. */
  const folders = new Map<string, Promise<void>>();
  let lastId = 0;
  const progress = new Map<number, number>();

  const change = (ids: ReadonlySet<number>, changes: Partial<Upload>, isInterrupted = queue.get().isInterrupted) =>
    queue.set({
      uploads: queue.get().uploads.map((upload) => (ids.has(upload.id) ? { ...upload, ...changes } : upload)),
      isInterrupted,
    });
  const changeOne = (id: number, changes: Partial<Upload>) => change(new Set([id]), changes);
  const find = (id: number) => queue.get().uploads.find((upload) => upload.id === id);

  let isDrawing = false;
  const drawSoon = () => {
    if (isDrawing) return;
    isDrawing = true;
    setTimeout(drawProgress, drawEvery);
  };
  const drawProgress = () => {
    isDrawing = false;
    if (progress.size === 0) return;
    queue.set({
      ...queue.get(),
      uploads: queue.get().uploads.map((upload) => {
        const sent = progress.get(upload.id);
        return sent === undefined || upload.state !== 'sending' ? upload : { ...upload, sent };
      }),
    });
    progress.clear();
  };

  const ensureFolder = (service: string, base: string, folder: string): Promise<void> => {
    if (folder === base) return Promise.resolve();
    const key = JSON.stringify([service, folder]);
    const known = folders.get(key);
    if (known) return known;
    // Parents first, each once: two uploads into new folders do not make the same one.
    const made = ensureFolder(service, base, parentOf(folder)).then(() => parts.makeFolder(service, folder));
    folders.set(key, made);
    made.catch(() => folders.delete(key));
    return made;
  };

  const run = async (upload: Upload) => {
    const controller = new AbortController();
    running.set(upload.id, controller);
    changeOne(upload.id, { state: 'sending', sent: 0, error: null });
    const { signal } = controller;
    try {
      // A file that went away since it was chosen would look like a line that dropped.
      await upload.file.slice(0, 1).arrayBuffer();
      await ensureFolder(upload.service, upload.folder, parentOf(upload.path));
      signal.throwIfAborted();
      await parts.send(upload, {
        signal,
        onProgress: (sent) => {
          progress.set(upload.id, sent);
          drawSoon();
        },
      });
      const stored = { ...upload, state: 'done' as const, sent: upload.file.size, error: null };
      changeOne(upload.id, stored);
      parts.onStored(stored);
    } catch (error) {
      if (signal.aborted) changeOne(upload.id, { state: 'cancelled', sent: 0 });
      else if (error instanceof ApiError && error.isUnreachable)
        change(new Set([upload.id]), { state: 'waiting', sent: 0 }, true);
      else changeOne(upload.id, { state: isTaken(error) ? 'exists' : 'failed', sent: 0, error });
    } finally {
      running.delete(upload.id);
      progress.delete(upload.id);
      start();
    }
  };

  const start = () => {
    const { uploads, isInterrupted } = queue.get();
    if (isInterrupted) return;
    for (const upload of uploads) {
      if (running.size >= atOnce) return;
      if (upload.state === 'waiting' && !running.has(upload.id)) void run(upload);
    }
    if (running.size === 0 && uploads.length > 0 && !uploads.some(isOpen)) {
      // Folders may be deleted or renamed until more is dropped.
      folders.clear();
      parts.onSettled(uploads);
    }
  };

  const again = (ids: ReadonlySet<number>, changes: Partial<Upload> = {}) => {
    change(ids, { ...changes, state: 'waiting', error: null, sent: 0 }, false);
    start();
  };
  const idsOf = (isMeant: (upload: Upload) => boolean) =>
    new Set(
      queue
        .get()
        .uploads.filter(isMeant)
        .map(({ id }) => id),
    );

  const cancel = (ids: ReadonlySet<number>) => {
    change(new Set([...ids].filter((id) => !running.has(id) && find(id)?.state === 'waiting')), { state: 'cancelled' });
    for (const id of ids) running.get(id)?.abort(new DOMException('Cancelled', 'AbortError'));
    const { uploads } = queue.get();
    if (!uploads.some(isOpen)) queue.set({ uploads, isInterrupted: false });
  };

  return {
    queue,
    add(service: string, folder: string, files: readonly NewUpload[]) {
      const added = files.map(
        ({ file, path }): Upload => ({
          ...{ id: ++lastId, service, folder, path: joinPath(folder, path), file },
          ...{ state: 'waiting', sent: 0, error: null, replaces: false },
        }),
      );
      // What is done makes room for what comes.
      const { uploads, isInterrupted } = queue.get();
      const kept = uploads.some(isOpen) ? uploads : uploads.filter(isUnfinished);
      queue.set({ uploads: [...kept, ...added], isInterrupted });
      start();
    },
    /** Goes on where the line dropped. */
    resume: () => again(new Set()),
    retry: (id: number) => again(new Set([id])),
    retryFailed: () => again(idsOf(({ state }) => state === 'failed' || state === 'cancelled')),
    cancel: (id: number) => cancel(new Set([id])),
    cancelAll: () => cancel(idsOf(isOpen)),
    replace: (id: number) => again(new Set([id]), { replaces: true }),
    replaceAll: () =>
      again(
        idsOf(({ state }) => state === 'exists'),
        { replaces: true },
      ),
    skip: (id: number) =>
      queue.set({ ...queue.get(), uploads: queue.get().uploads.filter((upload) => upload.id !== id) }),
    skipAll: () =>
      queue.set({ ...queue.get(), uploads: queue.get().uploads.filter(({ state }) => state !== 'exists') }),
    /** Stores them beside those that are there, under names that are free. */
    async keepBoth(ids: readonly number[]) {
      for (const id of ids) {
        const upload = find(id);
        if (upload?.state !== 'exists') continue;
        try {
          const folder = parentOf(upload.path);
          const waiting = queue.get().uploads.filter((other) => other.id !== id && parentOf(other.path) === folder);
          const taken = [...(await parts.namesIn(upload.service, folder)), ...waiting.map(({ path }) => nameOf(path))];
          again(new Set([id]), { path: joinPath(folder, freeName(nameOf(upload.path), taken)) });
        } catch (error) {
          changeOne(id, { state: 'failed', error });
        }
      }
    },
    /** Forgets all that is not under way. */
    clear: () => queue.set({ ...queue.get(), uploads: queue.get().uploads.filter(isOpen) }),
    /** Another person: what waits is not sent in their name. */
    forget() {
      for (const controller of running.values()) controller.abort(new DOMException('Left', 'AbortError'));
      queue.set({ uploads: [], isInterrupted: false });
    },
  };
}

/** How far the whole is. */
export function totalsOf(uploads: readonly Upload[]) {
  const count = (state: UploadState) => uploads.filter((upload) => upload.state === state).length;
  const wanted = uploads.filter(({ state }) => state !== 'cancelled');
  const bytes = wanted.reduce((sum, { file }) => sum + file.size, 0);
  const sent = wanted.reduce((sum, upload) => sum + (upload.state === 'done' ? upload.file.size : upload.sent), 0);
  return {
    count: uploads.length,
    done: count('done'),
    open: uploads.filter(isOpen).length,
    failed: count('failed'),
    exists: count('exists'),
    cancelled: count('cancelled'),
    /** Between 0 and 1; files of no bytes count by their number. */
    share: bytes > 0 ? sent / bytes : wanted.length > 0 ? count('done') / wanted.length : 1,
  };
}
