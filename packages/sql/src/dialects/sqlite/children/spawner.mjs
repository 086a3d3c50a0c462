// The program of the process that starts children. Starting one copies what the system knows of the memory of the process
// that starts it, and waits until the child runs: with 600 MB and busy cores hundreds of milliseconds, in which nobody is
// answered. This process stays small, so that it costs nobody anything. A child gets one end of a pair of sockets as its
// descriptor 3; the other end goes to the process that asked for it (start-child.ts has both types of message). Plain
// JavaScript, so that it starts at once where the sources run.
import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';

/** @type {Map<number, import('node:child_process').ChildProcess>} */
const children = new Map();

/** @param {import('./start-child.ts').Order} order */
function follow(order) {
  if ('start' in order) startChild(order);
  else if ('kill' in order) children.get(order.kill)?.kill('SIGKILL');
  // It has said before that it has the socket, so that this end of it is closed here.
  else tell({ id: order.hasSocket, isReady: true });
}

/** @param {Extract<import('./start-child.ts').Order, { start: number }>} order */
function startChild({ start: id, options, program, args, priority }) {
  // Its parent's number: asking for it itself, a child whose parent is gone already would take another one for it.
  const words = [...options, program, String(process.pid), ...args];
  let child;
  try {
    child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] });
  } catch (error) {
    // Some of what the system may refuse is thrown: the other children go on.
    tell({ id, ended: String(error) });
    return;
  }
  let complaint = '';
  const report = (/** @type {string} */ reason) => {
    if (children.delete(id)) tell({ id, ended: `${reason}\n${complaint}` });
  };
  children.set(id, child);
  child.on('error', (error) => report(error.message));
  // Where the system has no room for a process there is nothing of it but the error.
  if (child.pid === undefined) return;
  child.on('exit', (code, signal) => {
    const reason = `exit ${signal ?? code}`;
    if (child.stderr.closed) report(reason);
    else child.stderr.once('close', () => report(reason));
  });
  child.stderr.on('data', (chunk) => {
    complaint = (complaint + chunk).slice(-4000);
  });
  try {
    setPriority(child.pid, priority);
  } catch {
    // Where priorities are forbidden it is one among equals.
  }
  tell({ id, pid: child.pid }, child.stdio[3]);
}

/** @param {import('./start-child.ts').Notice} notice */
function tell(notice, socket) {
  // Nobody is there to hear it when the other process is gone: this one ends then.
  process.send?.(notice, socket, () => {});
}

process.on('message', follow);
process.on('disconnect', () => process.exit());
// A signal for all processes of a terminal or a service is for the one that ends the others when it has nothing left to do.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
