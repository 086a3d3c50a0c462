// The memory of all processes of a run together. The system bounds each of them; none of its bounds is for all.
import { readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';

/** Milliseconds between two looks: a run that is shorter is not looked at. */
const interval = 200;
/** Files that a run may make: each takes memory that counts nowhere. */
const maxFiles = 10_000;

/** Calls `onExcess`, once, when the processes below `pid` have more than `limit` bytes together; answers what ends the watch. */
export function watchMemory(pid: number, limit: number, onExcess: () => void): () => void {
  const timer = setInterval(() => {
    const processes = processesBelow(pid);
    if (memoryOf(processes) <= limit && filesOf(processes) <= maxFiles) return;
    clearInterval(timer);
    onExcess();
  }, interval);
  timer.unref();
  return () => clearInterval(timer);
}

/** The processes that one started, those that they started included. There are not many: they are bounded. */
export function processesBelow(pid: number): number[] {
  const found: number[] = [];
  const add = (parent: number) => {
    for (const child of childrenOf(parent)) {
      found.push(child);
      add(child);
    }
  };
  add(pid);
  return found;
}

/** Each thread has those that it started. */
const childrenOf = (pid: number): number[] =>
  ignoreGone(() => readdirSync(`/proc/${pid}/task`), [] as string[]).flatMap((thread) =>
    ignoreGone(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'), '')
      .split(' ')
      .flatMap((child) => (child === '' ? [] : [Number(child)])),
  );

/** Bytes in memory that are no file's: what is shared counts for each that has it. */
function memoryOf(processes: number[]): number {
  let kilobytes = 0;
  for (const process of processes) {
    const status = ignoreGone(() => readFileSync(`/proc/${process}/status`, 'utf8'), '');
    for (const [, size] of status.matchAll(/^Rss(?:Anon|Shmem):\s*(\d+) kB$/gm)) kilobytes += Number(size);
  }
  return kilobytes * 1024;
}

/** Files of the folder that they have for themselves, where they have one: what the first of a namespace started sees it. */
function filesOf([, interpreter]: number[]): number {
  const root = `/proc/${interpreter}/root`;
  return ignoreGone(() => {
    const [theirs, ours] = [statSync(root), statSync('/')];
    if (theirs.dev === ours.dev && theirs.ino === ours.ino) return 0;
    const { files, ffree } = statfsSync(`${root}/tmp`);
    return files - ffree;
  }, 0);
}

function ignoreGone<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
