// A process started ahead for one run of a script: its frames and its output, and its end with all that it started.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import type { Launch } from './launch.ts';

export interface ProcessEnd {
  /** The code, or negative the signal that ended it; undefined: it could not be started. */
  code: number | undefined;
  /** Why it could not be started. */
  error?: NodeJS.ErrnoException;
}

export interface StartedProcess {
  /** Undefined where it could not be started. */
  pid: number | undefined;
  /** Frames, both ways: descriptor 3 of the process. */
  frames: Socket;
  /** What it prints. */
  output: readonly Readable[];
  /** Settles when neither the process nor anything that it started is left, and all that it wrote has been read. */
  ended: Promise<ProcessEnd>;
  hasEnded(): boolean;
  /** Ends it and all that it started, at once. */
  kill(): void;
}

/** Milliseconds after its end in which what it wrote arrives; longer only where something else holds its output open. */
const drainTime = 1_000;
/** Added to the number of a signal by those between the process and us. */
const signalBase = 128;
const maxSignal = 64;

export function startProcess({ command, args, env, hasNamespace }: Launch): StartedProcess {
  const child = spawn(command, args, { env, cwd: '/', detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const frames = child.stdio[3] as Socket;
  const output = [child.stdout, child.stderr] as Readable[];
  let ended = false;
  const end = new Promise<ProcessEnd>((resolve) => {
    const finish = (processEnd: ProcessEnd) => {
      ended = true;
      resolve(processEnd);
    };
    child.on('error', (error) => {
      if (child.pid === undefined) finish({ code: undefined, error });
    });
    child.on('exit', () => {
      // What it started is still there where no namespace has ended with it.
      if (!hasNamespace) killGroup(child);
      const timer = setTimeout(() => {
        for (const stream of [frames, ...output]) stream.destroy();
      }, drainTime);
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        finish({ code: readCode(code, signal) });
      });
    });
  });
  // What is written to a process that is gone.
  for (const stream of [frames, ...output]) stream.on('error', () => {});
  if (child.pid !== undefined) preferToKill(child.pid);
  return {
    pid: child.pid,
    frames,
    output,
    ended: end,
    hasEnded: () => ended || child.exitCode !== null || child.signalCode !== null,
    kill: () => killAll(child, hasNamespace),
  };
}

function readCode(code: number | null, signal: NodeJS.Signals | null): number {
  if (code === null) return -constants.signals[signal as NodeJS.Signals];
  return code > signalBase && code <= signalBase + maxSignal ? signalBase - code : code;
}

/**
 * The first process of a namespace takes all others of it along, and the one that waits for it ends when nothing is left. Where
 * there is no namespace the group is ended.
 */
function killAll(child: ChildProcess, hasNamespace: boolean): void {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const first = hasNamespace ? firstChild(pid) : undefined;
  if (first === undefined) killGroup(child);
  else kill(first);
}

function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) kill(-pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}

/** Where the system has no memory left it ends scripts, and not the server. What is started later inherits it. */
function preferToKill(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, '1000');
  } catch {
    // It has just ended, or this system has no such file.
  }
}

/** The only process that one started, if any. */
function firstChild(pid: number): number | undefined {
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return first ? Number(first) : undefined;
  } catch {
    return undefined;
  }
}
