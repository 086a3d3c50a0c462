// A zip of a caller, read from a file and checked whole: names, sizes and checksums, before anything of it is used.
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { ReadableStream as WebStream } from 'node:stream/web';
import { Failure, fail } from '@sluice/contract';
import { pause } from '@sluice/sql';
import {
  ERR_ENCRYPTED,
  ERR_ENCRYPTED_CENTRAL_DIRECTORY,
  ERR_UNSUPPORTED_COMPRESSION,
  type FileEntry,
  Reader,
  ZipReader,
} from '@zip.js/zip.js';
import { joinPath, parentOf, parsePath } from './path.ts';

/** Most files and folders of one zip, the folders that paths go through counted. */
const maxEntries = 10_000;
/** Bytes of the list of entries. */
const maxDirectory = 16 * 1024 * 1024;
/** How much larger than the zip its content may be, if it has more than `freeBytes`. */
const maxRatio = 200;
const freeBytes = 100 * 1024 * 1024;

/** What a zip holds; paths are those of the container. */
export interface ZipContent {
  /** A folder before those in it. */
  folders: string[];
  files: ZipFile[];
  /** Bytes of all files. */
  size: number;
}

/** A file of a zip. */
export interface ZipFile {
  path: string;
  size: number;
  open(): Readable;
}

export interface UnzipOptions {
  /** Where the content is to be. */
  folder: string;
  /** Most bytes of all files. */
  limit: number;
  signal: AbortSignal;
  /** Where entries may be encrypted. */
  secured?: {
    password: string | undefined;
    /** The failure where the password does not open a file. */
    refusal(path: string): Failure;
    /** The file that is tried first. */
    first: string;
  };
}

const badZip = (problem: string, cause?: unknown) => fail('file.badZip', { problem }, { cause });

/** Reads and checks a zip; what it answers is as good as the file is there. Throws `file.badZip`, `file.notZip`, `file.badPath`. */
export async function readZip(file: FileHandle, { folder, limit, signal, secured }: UnzipOptions): Promise<ZipContent> {
  const { size } = await file.stat();
  const reader = new ZipReader(new HandleReader(file, size), {
    ...{ filenameValidation: 'tolerant', useWebWorkers: false },
    ...(secured?.password ? { password: secured.password } : {}),
  });
  const tree = new ZipTree();
  const entries: { path: string; entry: FileEntry }[] = [];
  let total = 0;
  let isOpen = false;
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      isOpen = true;
      await pause();
      const name = nameOfEntry(entry);
      if (entry.encrypted && !secured?.password) throw secured ? secured.refusal(name) : badZip('it is encrypted.');
      if (!isPlain(entry.externalFileAttributes)) throw badZip('it holds a link or another special file.');
      // The folder itself.
      if (name === '') continue;
      const { path } = parsePath(joinPath(folder, name));
      tree.add(path, entry.directory ? 'folder' : 'file', folder);
      if (entry.directory) continue;
      total += entry.uncompressedSize;
      if (total > limit) throw badZip(`its files have more than ${limit} bytes, the most that is accepted.`);
      entries.push({ path, entry });
    }
    isOpen = true;
    if (total > freeBytes && total > maxRatio * size)
      throw badZip(`it unpacks to more than ${maxRatio} times its size.`);
    const isFirst = ({ path }: { path: string }) => path === secured?.first;
    for (const { path, entry } of [...entries.filter(isFirst), ...entries.filter((item) => !isFirst(item))])
      await verify(entry, signal).catch((error: unknown) => {
        // One byte tells that a password of the traditional kind is wrong: every 256th wrong one is noticed by the content.
        throw secured && entry.encrypted && !isOfSystem(error) && !signal.aborted ? secured.refusal(path) : error;
      });
  } catch (error) {
    throw failureOf(error, isOpen);
  }
  const files = entries.map(({ path, entry }) => ({
    path,
    size: entry.uncompressedSize,
    open: () => openEntry(entry),
  }));
  return { folders: tree.folders, files, size: total };
}

/** The name of an entry without slashes at its end; empty for the folder that was zipped. */
function nameOfEntry({ filename, versionMadeBy }: Pick<FileEntry, 'filename' | 'versionMadeBy'>): string {
  // Old programs of DOS and Windows write backslashes between the parts; elsewhere they are part of a name, and refused.
  const isDos = [0, 10, 11, 14].includes(versionMadeBy >> 8);
  const name = (isDos ? filename.replaceAll('\\', '/') : filename).replace(/^(\.\/)+/, '');
  if (/^[a-z]:\//i.test(name)) throw badZip('it holds a path with a drive.');
  return name.endsWith('/') ? name.slice(0, -1) || '/' : name;
}

/** Whether the attributes, which are the mode of Unix in their upper half, are those of a file or a folder. */
const isPlain = (attributes: number) => [0, 0o040000, 0o100000].includes((attributes >>> 16) & 0o170000);

/** The paths of a zip, each once: two that a storage may take for one are refused. */
class ZipTree {
  readonly folders: string[] = [];
  private readonly entries = new Map<string, { path: string; type: 'file' | 'folder' }>();

  /** Adds a path, and the folders between `root` and it. */
  add(path: string, type: 'file' | 'folder', root: string): void {
    const paths = [path];
    // Past the first folder that is there already, all are.
    for (let at = parentOf(path); at.length > root.length && !this.has(at); at = parentOf(at)) paths.push(at);
    for (const at of paths.reverse()) this.claim(at, at === path ? type : 'folder');
  }

  private has(path: string): boolean {
    const entry = this.entries.get(keyOf(path));
    return entry?.type === 'folder' && entry.path === path;
  }

  private claim(path: string, type: 'file' | 'folder'): void {
    const key = keyOf(path);
    const other = this.entries.get(key);
    if (other?.path === path && type === 'folder' && other.type === 'folder') return;
    if (other) throw badZip(`it holds '${path}' twice, or in another spelling.`);
    if (this.entries.size >= maxEntries) throw badZip(`it holds more than ${maxEntries} files and folders.`);
    this.entries.set(key, { path, type });
    if (type === 'folder') this.folders.push(path);
  }
}

/** Storages may take names for one that differ in letter case or Unicode form. */
const keyOf = (path: string) => path.normalize('NFC').toLowerCase();

/** Reads an entry to its end: it has its checksum and the size it says, and shares no bytes with another one. */
async function verify(entry: FileEntry, signal: AbortSignal): Promise<void> {
  let size = 0;
  const counter = new WritableStream<Uint8Array>({
    write({ length }) {
      size += length;
      if (size > entry.uncompressedSize) throw badZip(`'${entry.filename}' is larger than the zip says.`);
    },
  });
  await entry.getData(counter, { checkSignature: true, checkOverlappingEntry: true, signal }).catch((error) => {
    if (error instanceof Failure || isOfSystem(error) || isKnown(error)) throw error;
    throw badZip(`'${entry.filename}' is damaged.`, error);
  });
}

function openEntry(entry: FileEntry): Readable {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  entry.getData(writable).catch((error: unknown) => writable.abort(error).catch(() => {}));
  return Readable.fromWeb(readable as WebStream);
}

class HandleReader extends Reader<FileHandle> {
  private readonly file: FileHandle;

  constructor(file: FileHandle, size: number) {
    super(file);
    this.file = file;
    this.size = size;
  }

  override async readUint8Array(index: number, length: number): Promise<Uint8Array> {
    if (length > maxDirectory) throw badZip('the list of its entries is too long.');
    const bytes = Buffer.alloc(Math.max(0, Math.min(length, this.size - index)));
    let read = 0;
    while (read < bytes.length) {
      const { bytesRead } = await this.file.read(bytes, read, bytes.length - read, index + read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return bytes.subarray(0, read);
  }
}

/** Errors of the disk; all others come of what is in the zip. */
const isOfSystem = (error: unknown) => (error as NodeJS.ErrnoException).syscall !== undefined;
const isKnown = (error: unknown) => zipProblems.has((error as Error).message);

const zipProblems = new Map([
  [ERR_ENCRYPTED, 'it is encrypted.'],
  [ERR_ENCRYPTED_CENTRAL_DIRECTORY, 'it is encrypted.'],
  [ERR_UNSUPPORTED_COMPRESSION, 'it is compressed in an unknown way.'],
]);

function failureOf(error: unknown, isOpen: boolean): unknown {
  if (error instanceof Failure || isOfSystem(error)) return error;
  const problem = zipProblems.get((error as Error).message);
  if (problem === undefined && !isOpen) return fail('file.notZip', undefined, { cause: error });
  return badZip(problem ?? 'it is damaged.', error);
}
