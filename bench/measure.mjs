// What a program costs: CPU and memory of a process and all below it (Linux), and the middle of several measurements.
import { readdirSync, readFileSync } from 'node:fs';

/** Seconds of CPU of a process and all below it, counted in nanoseconds by the scheduler. */
export function cpuOf(pid) {
  const threads = treeOf(pid).flatMap((id) => list(`/proc/${id}/task`).map((task) => `/proc/${id}/task/${task}`));
  return threads.reduce((sum, thread) => sum + Number(read(`${thread}/schedstat`).split(' ')[0] || 0), 0) / 1e9;
}

/** Resident memory of a process and all below it, in MB. What they share is counted once for each. */
export function memoryOf(pid) {
  return treeOf(pid).reduce((sum, id) => sum + rssOf(id), 0);
}

/** Resident memory of one process in MB; 0 when it has ended. */
export const rssOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** A process and all below it. */
export function treeOf(pid) {
  const parents = new Map();
  for (const entry of list('/proc').filter((name) => /^\d+$/.test(name))) {
    const fields = read(`/proc/${entry}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    parents.set(Number(entry), Number(fields[1]));
  }
  const isBelow = (id) => id === pid || (parents.has(id) && isBelow(parents.get(id)));
  return [...parents.keys()].filter(isBelow);
}

/** A file of /proc; empty when its process ended meanwhile. */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function list(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
