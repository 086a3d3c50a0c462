// A log file of bounded size, with a bounded number of older ones beside it. Processes that share a data folder write the same
// file: each line is appended whole, and a full file is renamed to a name of its own, so that none replaces the lines of another.
// The libraries for this (pino-roll, rotating-file-stream) count and delete files for one process alone.
import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';

interface LogFileOptions {
  folder: string;
  /** Bytes after which a file is full. */
  maxBytes: number;
  /** Files there may be, the current one included. */
  maxFiles: number;
  /** Told of the first failure, and of the first after lines could be written again. */
  onFailure(error: unknown): void;
  /** Milliseconds without an attempt after a failure. */
  pause?: number;
}

export interface LogFile {
  /** Takes a line with its end; never waits and never throws. */
  write(line: string): void;
  close(): Promise<void>;
}

const currentName = 'sluice.log';
const olderName = /^sluice-\d{8}T\d{9}Z-[0-9a-f]{8}\.log$/;
/** Bytes that wait for the disk; what comes beyond them is only on standard output. */
const maxWaiting = 4 * 1024 * 1024;
/** Bytes of one write, unless a single line has more. */
const maxBatch = 256 * 1024;
/** Milliseconds in which lines are gathered: a write for each call would cost as much as a short call. */
const gatherTime = 250;

export function openLogFile({ folder, maxBytes, maxFiles, onFailure, pause = 60_000 }: LogFileOptions): LogFile {
  const path = join(folder, currentName);
  const batchLimit = Math.min(maxBatch, maxBytes);
  let waiting: Buffer[] = [];
  let waitingLength = 0;
  let running: Promise<void> | undefined;
  let gathering: NodeJS.Timeout | undefined;
  let file: { handle: FileHandle; inode: number } | undefined;
  let pausedUntil = 0;
  let hasFailed = false;
  /** The file ends with a part of a line, of a write that found no room for all. */
  let isCutShort = false;
  let isClosed = false;

  const takeBatch = (): Buffer => {
    let count = 0;
    let length = 0;
    while (count < waiting.length && (count === 0 || length + waiting[count]!.length <= batchLimit))
      length += waiting[count++]!.length;
    waitingLength -= length;
    return Buffer.concat(waiting.splice(0, count));
  };

  const writeWaiting = async () => {
    while (waiting.length > 0) {
      try {
        await append(takeBatch());
        hasFailed = false;
      } catch (error) {
        pausedUntil = Date.now() + pause;
        waiting = [];
        waitingLength = 0;
        if (!hasFailed) onFailure(error);
        hasFailed = true;
      }
      // What came meanwhile is gathered again.
      if (!isClosed && waitingLength < batchLimit) break;
    }
    running = undefined;
    if (waiting.length > 0) gather();
  };
  const gather = () => {
    gathering ??= setTimeout(start, gatherTime).unref();
  };

  const append = async (batch: Buffer) => {
    let size = await openCurrent();
    if (size > 0 && size + batch.length > maxBytes) {
      await rename(path, join(folder, olderFileName())).catch(ignoreMissing);
      await deleteOldest();
      size = await openCurrent();
    }
    const bytes = isCutShort ? Buffer.concat([Buffer.from('\n'), batch]) : batch;
    // In one write, so that no line of another process comes between.
    const { bytesWritten } = await file!.handle.write(bytes);
    isCutShort = bytesWritten < bytes.length;
    if (isCutShort) throw new Error('There was no room for all lines.');
  };

  /** Has `file` be the one at the path, which another process may have renamed and a caller deleted; answers its size. */
  const openCurrent = async (): Promise<number> => {
    const current = await stat(path).catch(ignoreMissing);
    if (file && file.inode === current?.ino) return current.size;
    await file?.handle.close();
    file = undefined;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const handle = await open(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | noFollow, 0o600);
    const { ino, size } = await handle.stat();
    file = { handle, inode: ino };
    await deleteOldest();
    return size;
  };

  const deleteOldest = async () => {
    const older = (await readdir(folder)).filter((name) => olderName.test(name)).sort();
    for (const name of older.slice(0, Math.max(0, older.length - maxFiles + 1)))
      await unlink(join(folder, name)).catch(ignoreMissing);
  };

  const start = () => {
    clearTimeout(gathering);
    gathering = undefined;
    running ??= writeWaiting();
  };

  return {
    write(line) {
      if (isClosed || waitingLength > maxWaiting || Date.now() < pausedUntil) return;
      const bytes = Buffer.from(line);
      waiting.push(bytes);
      waitingLength += bytes.length;
      if (waitingLength >= batchLimit) start();
      else if (!running) gather();
    },
    async close() {
      isClosed = true;
      start();
      await running;
      await file?.handle.close().catch(() => {});
    },
  };
}

/** Not through a link, and without waiting for a reader where the name is that of a pipe. */
const noFollow = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** In the order of time. */
const olderFileName = () =>
  `sluice-${new Date().toISOString().replace(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}.log`;

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
