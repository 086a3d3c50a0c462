// Loaded into the measured server before its own code: writes to a file when its event loop stood still. A line for each
// time, of at least 20 ms: when it began (milliseconds since 1970), how long it was, and the CPU the main thread used in it.
// Where that is far less than the length, the machine or a disk was waited for.
import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const { ABUSE_STALLS: path } = process.env;
const shortest = 20;
const every = 5;

if (path && isMainThread && process.argv[1]?.endsWith('main.js')) {
  const out = openSync(path, 'a');
  const text = Buffer.alloc(64);
  const cpu = () => {
    const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
    const length = readSync(file, text, 0, text.length, 0);
    closeSync(file);
    return Number(text.toString('latin1', 0, length).split(' ')[0]) / 1e6;
  };
  let [last, lastCpu] = [performance.now(), cpu()];
  setInterval(() => {
    const [now, nowCpu] = [performance.now(), cpu()];
    const length = now - last - every;
    if (length >= shortest) {
      const began = Math.round(performance.timeOrigin + last);
      writeSync(out, `${began} ${length.toFixed(0)} ${(nowCpu - lastCpu).toFixed(0)}\n`);
    }
    [last, lastCpu] = [now, nowCpu];
  }, every).unref();
}
